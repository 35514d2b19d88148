using Ripple.Engine.Core;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>The host's acknowledgement of rounds it never saw, with floors too high, to the leader and to others.</summary>
internal sealed class AggregateAcks : IForgery
{
    /// <inheritdoc/>
    public string Name => "aggregate acknowledgements";

    /// <inheritdoc/>
    public double Share => 0.4;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Victim() is not { } victim)
        {
            return;
        }

        CapturedMember captured = attacker.Captured;
        victim = attacker.Random.NextBool(0.7) ? captured.Others[0] : victim;
        byte[] frames = new byte[128];
        var writer = new WireWriter(frames);
        ulong floor = captured.Sequence + (ulong)attacker.Random.NextInt64(1_000);
        ReadOnlySpan<(ulong, ulong)> floors = [(captured.Accepted!.HostIncarnation, floor)];
        ulong round = 1 + (ulong)attacker.Random.NextInt64(4_000);
        AggregateRoute route = attacker.Random.NextBool(0.3)
            ? new AggregateRoute((uint)attacker.Random.NextInt32(12), (byte)attacker.Random.NextInt32(8))
            : default;
        if (AggregateAck.TryWrite(captured.View!.Number.Value, round, floors, route, ref writer))
        {
            attacker.ToMember(victim, 0, PacketClass.Control, writer.Written);
        }
    }
}
