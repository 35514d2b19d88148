using Ripple.Engine.Core;

namespace Ripple.Gms.Frontier;

/// <summary>
/// How much the core may spend on waits: <see cref="ValuesMax"/> values of rows in <see cref="IntervalNs"/>, about a quarter of its time.
/// What was spent beyond that, because a wait is evaluated whole, is paid back by the intervals that follow. Core thread.
/// </summary>
internal sealed class EvaluationBudget(CoreLoop core)
{
    /// <summary>The values of rows that may be read in an interval: about half a millisecond of a core.</summary>
    public const long ValuesMax = 131_072;

    /// <summary>The interval, in nanoseconds.</summary>
    public const long IntervalNs = 2_000_000;

    private const long IntervalsMax = 1_000_000;
    private long _left = ValuesMax;
    private long _refilledNs;

    /// <summary>When there is more again, in the core's nanoseconds.</summary>
    public long NextNs => _refilledNs + IntervalNs;

    /// <summary>The values that may be read now; 0 or less for none.</summary>
    public long Left
    {
        get
        {
            long intervals = (core.NowNs - _refilledNs) / IntervalNs;
            if (intervals > 0)
            {
                _refilledNs += intervals * IntervalNs;
                _left = Math.Min(ValuesMax, _left + (Math.Min(intervals, IntervalsMax) * ValuesMax));
            }

            return _left;
        }
    }

    /// <summary>Records that values were read.</summary>
    public void Spend(long values) => _left -= values;
}
