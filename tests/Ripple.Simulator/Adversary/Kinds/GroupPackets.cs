using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// Packets of the host to the region's multicast group: probes, by which members believe that the host reaches them there, and the stream.
/// </summary>
internal sealed class GroupPackets : IForgery
{
    private const uint HostSlot = 0;

    /// <inheritdoc/>
    public string Name => "group packets";

    /// <inheritdoc/>
    public double Share => 0.8;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Group.IsNone || attacker.Captured.Accepted is null)
        {
            return;
        }

        byte[] frames = new byte[StreamPosition.FrameBytes];
        var writer = new WireWriter(frames);
        bool isProbe = attacker.Random.NextBool(0.5);
        if (isProbe)
        {
            FrameWriter.End(ref writer, FrameWriter.Begin(ref writer, FrameType.GroupProbe));
        }
        else
        {
            StreamForgery.WritePosition(attacker, ref writer, ahead: 1 + attacker.Random.NextInt32(32));
        }

        PacketClass packetClass = isProbe ? PacketClass.Repair : PacketClass.Data;
        attacker.ToAddress(attacker.Captured.Group, HostSlot, packetClass, writer.Written);
    }
}
