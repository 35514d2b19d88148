namespace Ripple.Gms.Sessions;

/// <summary>
/// Whether this host may believe that others are silent (Lifeguard: local health). One that was late itself, or that misses many members
/// at once, more likely lacks the time or the network to hear them. Core thread.
/// </summary>
/// <param name="tickNs">How often it is looked at, in nanoseconds.</param>
/// <param name="doubtNs">How long it doubts itself after it was late, in nanoseconds.</param>
internal sealed class LocalHealth(long tickNs, long doubtNs)
{
    /// <summary>From one member of as many on, that are overdue at a time, it doubts itself.</summary>
    private const int OverdueShare = 4;

    private long? _lookedNs;
    private long _doubtsUntilNs = long.MinValue;

    /// <summary>Looks, once a tick. False while it doubts itself.</summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="overdue">The members whose heartbeat is overdue.</param>
    /// <param name="members">All members.</param>
    public bool Look(long nowNs, int overdue, int members)
    {
        if (nowNs - (_lookedNs ?? nowNs) > 2 * tickNs)
        {
            _doubtsUntilNs = nowNs + doubtNs;
        }

        _lookedNs = nowNs;
        return nowNs >= _doubtsUntilNs && overdue <= Math.Max(1, members / OverdueShare);
    }
}
