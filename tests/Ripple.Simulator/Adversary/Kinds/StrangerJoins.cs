using Ripple.Engine.Core;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Joins with the address of somebody who takes no part, and then a request for the whole window to be sent there again.</summary>
internal sealed class StrangerJoins : IForgery
{
    private const ushort StrangersPort = 53;

    /// <inheritdoc/>
    public string Name => "joins for strangers";

    /// <inheritdoc/>
    public double Share => 0.06;

    /// <inheritdoc/>
    public int? Turn => 18;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Random.NextBool(0.3) && attacker.Victim() is { } victim)
        {
            NodeAddress stranger = victim.DataAddress with { Port = StrangersPort };
            JoinForgery.Send(
                attacker,
                join => join with { DataAddress = stranger, ControlAddress = stranger },
                accepted => AskForRepair(attacker, accepted));
        }
    }

    private static void AskForRepair(Attacker attacker, JoinAccepted accepted)
    {
        ulong newest = attacker.Captured.Sequence;
        ulong start = (newest > StreamReceiver.WindowPackets ? newest - StreamReceiver.WindowPackets : 0) / 64 * 64;
        ulong[] missing = new ulong[NakFrame.WordsMax];
        Array.Fill(missing, ulong.MaxValue);
        missing[0] = start == 0 ? ulong.MaxValue - 1 : ulong.MaxValue;
        byte[] frames = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frames);
        NakFrame.Write(ref writer, accepted.HostIncarnation, start, missing);
        attacker.ToAddress(accepted.HostControlAddress, accepted.Slot, PacketClass.Nak, writer.Written);
    }
}
