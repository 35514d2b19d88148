namespace Ripple.Simulator.Faults;

/// <summary>
/// Windows of a run in which no fault is active and nothing is published, so that progress can be judged in the middle of a run and not
/// only at its end.
/// </summary>
/// <param name="EveryNs">The time from the end of one window to the end of the next, from the start of the run; 0 for no windows.</param>
/// <param name="LengthNs">The length of a window.</param>
internal readonly record struct CalmWindows(long EveryNs, long LengthNs)
{
    /// <summary>No windows.</summary>
    public static CalmWindows None => default;

    /// <summary>Whether a time lies in a window.</summary>
    public bool IsCalm(long ns) => EveryNs > 0 && ns % EveryNs >= EveryNs - LengthNs;

    /// <summary>The start of the first window that does not begin before a time; <see cref="long.MaxValue"/> for none.</summary>
    public long NextStart(long ns)
    {
        if (EveryNs == 0)
        {
            return long.MaxValue;
        }

        long start = (ns / EveryNs * EveryNs) + EveryNs - LengthNs;
        return start >= ns ? start : start + EveryNs;
    }

    /// <summary>The time itself if it is in no window, otherwise the end of the window.</summary>
    public long After(long ns) => IsCalm(ns) ? ((ns / EveryNs) + 1) * EveryNs : ns;
}
