using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>
/// Harmless packets whose counter is so high that every genuine one of that sealer looks too old afterwards. It goes on for some seconds,
/// so that the sealer seems to be heard well, and begins again under the next key.
/// </summary>
internal sealed class PoisonedCounters : IForgery
{
    private const long EveryNs = 20_000_000;
    private const int PacketsMax = 400;

    /// <summary>Within what a window leaps at once, and far beyond it.</summary>
    private static readonly ulong[] Leaps = [1UL << 12, 1UL << 19, 1UL << 40];

    private int _left;

    /// <inheritdoc/>
    public string Name => "poisoned counters";

    /// <inheritdoc/>
    public double Share => 0.2;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (_left > 0 || attacker.Victim() is not { } victim)
        {
            return;
        }

        ulong leap = Leaps[attacker.Random.NextInt32(Leaps.Length)];
        CapturedMember captured = attacker.Captured;
        (bool isToMember, uint slot, PacketClass packetClass) = attacker.Random.NextBool(0.5)
            ? (true, 0u, PacketClass.Data)
            : (false, victim.Slot, PacketClass.Control);
        ulong number = captured.NewestOf(slot, packetClass) + leap;
        uint keyEpoch = captured.KeyEpoch;
        int forgery = attacker.Current;
        _left = PacketsMax;
        GoOn();

        void GoOn()
        {
            attacker.Resume(forgery);
            if (_left-- == 0 || captured.KeyEpoch != keyEpoch || !attacker.IsActive)
            {
                _left = 0;
                return;
            }

            Send(attacker, victim, isToMember, number++);
            attacker.World.Scheduler.Schedule(EveryNs, GoOn);
        }
    }

    private static void Send(Attacker attacker, RegionMember victim, bool isToMember, ulong number)
    {
        ulong origin = attacker.Captured.Accepted!.HostIncarnation;
        byte[] frames = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frames);
        if (isToMember)
        {
            new StreamPosition(origin, 1).Write(ref writer);
            attacker.ToMember(victim, 0, PacketClass.Data, writer.Written, number);
        }
        else
        {
            NakFrame.Write(ref writer, origin, 0, [2]);
            attacker.ToHost(victim.Slot, PacketClass.Control, writer.Written, number);
        }
    }
}
