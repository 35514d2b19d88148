using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Harmless packets whose counter is so high that every genuine one of that sealer looks too old afterwards.</summary>
internal sealed class PoisonedCounters : IForgery
{
    private const ulong Leap = 1UL << 40;

    /// <inheritdoc/>
    public string Name => "poisoned counters";

    /// <inheritdoc/>
    public double Share => 0.06;

    /// <inheritdoc/>
    public int? Turn => 17;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Victim() is not { } victim)
        {
            return;
        }

        CapturedMember captured = attacker.Captured;
        byte[] frames = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frames);
        if (attacker.Random.NextBool(0.5))
        {
            new StreamPosition(captured.Accepted!.HostIncarnation, 1).Write(ref writer);
            attacker.ToMember(victim, 0, PacketClass.Data, writer.Written, captured.NewestOf(0, PacketClass.Data) + Leap);
            return;
        }

        NakFrame.Write(ref writer, captured.Accepted!.HostIncarnation, 0, [2]);
        attacker.ToHost(victim.Slot, PacketClass.Control, writer.Written, captured.NewestOf(victim.Slot, PacketClass.Control) + Leap);
    }
}
