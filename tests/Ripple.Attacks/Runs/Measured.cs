using System.Diagnostics;

namespace Ripple.Attacks.Runs;

/// <summary>How publishes of the honest application arrived.</summary>
/// <param name="Published">How many were begun.</param>
/// <param name="Lost">How many of them did not arrive at every member.</param>
/// <param name="P50Ms">From the call to the last member, of those that did; null of none.</param>
/// <param name="P99Ms">The same, the 99th percentile by nearest rank.</param>
/// <param name="MaxMs">The longest.</param>
internal sealed record Measured(int Published, int Lost, double? P50Ms, double? P99Ms, double? MaxMs)
{
    /// <summary>From when each publish was called, by its number, and when each member had which number.</summary>
    public static Measured Of(
        IReadOnlyDictionary<long, long> called, IReadOnlyList<IReadOnlyDictionary<long, long>> applied)
    {
        List<double> times = [];
        SortedDictionary<long, long>[] arrivals = [.. applied.Select(WithJumps)];
        foreach ((long number, long calledAt) in called)
        {
            long[] arrived = [.. arrivals.Select(a => At(a, number)).Where(t => t > 0)];
            if (arrived.Length == arrivals.Length)
            {
                times.Add(Stopwatch.GetElapsedTime(calledAt, arrived.Max()).TotalMilliseconds);
            }
        }

        times.Sort();
        return new Measured(called.Count, called.Count - times.Count, Rank(times, 50), Rank(times, 99), Rank(times, 100));
    }

    /// <summary>By nearest rank; null of nothing. The values are sorted.</summary>
    public static double? Rank(IReadOnlyList<double> sorted, double percent) =>
        sorted.Count == 0 ? null : Math.Round(sorted[Math.Max(0, (int)Math.Ceiling(percent / 100 * sorted.Count) - 1)], 2);

    /// <summary>
    /// A member that goes to a newer state at once has the older ones with it: the earliest arrival of this number or above.
    /// </summary>
    private static SortedDictionary<long, long> WithJumps(IReadOnlyDictionary<long, long> applied)
    {
        var earliest = new SortedDictionary<long, long>();
        long at = long.MaxValue;
        foreach ((long number, long ticks) in applied.OrderByDescending(a => a.Key))
        {
            at = Math.Min(at, ticks);
            earliest[number] = at;
        }

        return earliest;
    }

    private static long At(SortedDictionary<long, long> earliest, long number)
    {
        if (earliest.TryGetValue(number, out long exact))
        {
            return exact;
        }

        foreach ((long newer, long ticks) in earliest)
        {
            if (newer > number)
            {
                return ticks;
            }
        }

        return 0;
    }
}
