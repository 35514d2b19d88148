using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Beacons of the host that tell of too much, of too little, or of a floor that is not.</summary>
internal sealed class Beacons : IForgery
{
    /// <inheritdoc/>
    public string Name => "beacons";

    /// <inheritdoc/>
    public double Share => 0.5;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        ulong newest = attacker.Captured.Sequence;
        ulong highest = attacker.Random.NextInt32(3) switch
        {
            0 => newest + 1 + (ulong)attacker.Random.NextInt64(3_000),
            1 => newest / 2,
            _ => newest,
        };
        Send(attacker, highest, firstAvailable: 1, floor: (ulong)attacker.Random.NextInt64((long)highest + 1));
    }

    /// <summary>Sends a beacon to members.</summary>
    public static void Send(Attacker attacker, ulong highest, ulong firstAvailable, ulong floor)
    {
        if (attacker.Victim() is null)
        {
            return;
        }

        byte[] frames = new byte[StreamBeacon.FrameBytes];
        var writer = new WireWriter(frames);
        new StreamBeacon(attacker.Captured.Accepted!.HostIncarnation, highest, firstAvailable, attacker.Captured.View!.Number, floor)
            .Write(ref writer);
        foreach (RegionMember victim in attacker.Victims())
        {
            attacker.ToMember(victim, 0, PacketClass.Control, writer.Written);
        }
    }
}
