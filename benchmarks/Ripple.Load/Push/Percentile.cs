using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>Of measured spans, by nearest rank.</summary>
internal static class Percentile
{
    /// <summary>In milliseconds; NaN of nothing.</summary>
    public static double OfMs(IEnumerable<long> ticks, double percent)
    {
        long[] sorted = [.. ticks.Order()];
        return sorted.Length == 0
            ? double.NaN
            : sorted[Math.Max(0, (int)Math.Ceiling(percent / 100 * sorted.Length) - 1)] * 1e3 / Stopwatch.Frequency;
    }
}
