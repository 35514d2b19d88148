using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>
/// Counts how many packets of the current round, and of the one before it, each member reported lost. Bounded: when more members report in
/// two rounds than there is room for, the loss is common anyway.
/// </summary>
internal sealed class LossReports
{
    public const int ReportersMax = 16;
    private readonly Reporter[] _reporters = new Reporter[ReportersMax];

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add<Reporter>(MemoryScope.Region, MemoryKind.Fixed, "stream: members that report loss", ReportersMax);

    /// <summary>
    /// Counts one packet that a member lost. False when its number is not above all that the member reported before, since requests are
    /// repeated, and when there is no room for the member.
    /// </summary>
    public bool TryAdd(in NodeAddress member, ulong number, bool isOfPrevious)
    {
        ref Reporter reporter = ref Find(member);
        if (reporter.Member != member || number <= reporter.Highest)
        {
            return false;
        }

        reporter.Highest = number;
        reporter.Previous += isOfPrevious ? 1 : 0;
        reporter.Current += isOfPrevious ? 0 : 1;
        return true;
    }

    /// <summary>Adds a measured delay from a packet's departure to a member's report of its loss; delays are smoothed.</summary>
    public void AddDelay(in NodeAddress member, long delayNs)
    {
        ref Reporter reporter = ref Find(member);
        if (reporter.Member == member)
        {
            reporter.DelayNs = reporter.DelayNs == 0 ? delayNs : reporter.DelayNs + ((delayNs - reporter.DelayNs) / 8);
        }
    }

    /// <summary>The smoothed report delay of a member, in nanoseconds; 0 when it reported nothing recently.</summary>
    public long DelayNsOf(in NodeAddress member)
    {
        foreach (ref readonly Reporter reporter in _reporters.AsSpan())
        {
            if (reporter.Member == member)
            {
                return reporter.DelayNs;
            }
        }

        return 0;
    }

    /// <summary>The highest and the second highest loss of a member in the previous round.</summary>
    public (int Most, int Second) OfPrevious()
    {
        int most = 0;
        int second = 0;
        foreach (ref readonly Reporter reporter in _reporters.AsSpan())
        {
            second = Math.Max(second, Math.Min(most, reporter.Previous));
            most = Math.Max(most, reporter.Previous);
        }

        return (most, second);
    }

    /// <summary>The current round becomes the previous one, with its counts or, on <paramref name="forget"/>, without.</summary>
    public void Shift(bool forget)
    {
        foreach (ref Reporter reporter in _reporters.AsSpan())
        {
            reporter.Previous = forget ? 0 : reporter.Current;
            reporter.Current = 0;
        }
    }

    private ref Reporter Find(in NodeAddress member)
    {
        int free = 0;
        for (int i = 0; i < _reporters.Length; i++)
        {
            if (_reporters[i].Member == member)
            {
                return ref _reporters[i];
            }

            if (_reporters[i].Current + _reporters[i].Previous == 0)
            {
                free = i;
            }
        }

        ref Reporter reporter = ref _reporters[free];
        if (reporter.Current + reporter.Previous == 0)
        {
            reporter = new Reporter { Member = member };
        }

        return ref reporter;
    }

    private struct Reporter
    {
        public NodeAddress Member;
        public ulong Highest;
        public long DelayNs;
        public int Current;
        public int Previous;
    }
}
