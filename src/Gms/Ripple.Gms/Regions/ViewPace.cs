namespace Ripple.Gms.Regions;

/// <summary>
/// How soon a region's next view may follow. Each view costs a message a member, and starts the ring's round anew: where views follow each
/// other faster than rounds end, nothing is proved. So the next one waits until the ring has told a round of the newest, but not for ever.
/// Core thread.
/// </summary>
internal sealed class ViewPace
{
    /// <summary>The longest wait for a round, unless rounds are known to take longer.</summary>
    public const long WaitNs = 250_000_000;

    /// <summary>The longest wait for a round, however long rounds take.</summary>
    public const long WaitNsMax = 1_000_000_000;

    /// <summary>Approximate core time per member to announce a view; views follow each other no faster than they are announced.</summary>
    private const long MemberNs = 100_000;

    /// <summary>The wait, in mean times from a view to its first round.</summary>
    private const int RoundsPerWait = 4;

    /// <summary>A view that changes at least this part of the region does not wait: there are few of those until it has its size.</summary>
    private const int MembersPerChange = 4;

    private long _viewNs;
    private long _roundNs;
    private int _unproved;
    private bool _isProved = true;

    /// <summary>The longest that a view which follows now would wait for a round of the newest.</summary>
    public long LongestWaitNs => Math.Min(Math.Max(WaitNs, RoundsPerWait * _roundNs) << _unproved, WaitNsMax);

    /// <summary>A view takes effect.</summary>
    public void OnView(long nowNs)
    {
        // A ring whose rounds take longer than the wait would never be measured: each view that came to no round doubles it.
        bool isGivenUp = !_isProved && nowNs - _viewNs >= LongestWaitNs;
        _unproved = _isProved ? 0 : _unproved + (isGivenUp && LongestWaitNs < WaitNsMax ? 1 : 0);
        _viewNs = nowNs;
        _isProved = false;
    }

    /// <summary>The ring told a round of the newest view. True if it is the first.</summary>
    public bool IsFirstRound(long nowNs)
    {
        if (_isProved)
        {
            return false;
        }

        long roundNs = Math.Min(nowNs - _viewNs, WaitNsMax);
        _roundNs = _roundNs == 0 ? roundNs : _roundNs + ((roundNs - _roundNs) / 8);
        _isProved = true;
        return true;
    }

    /// <summary>When the newest view has been announced.</summary>
    /// <param name="told">How many members are told of it.</param>
    public long AnnouncedNs(int told) => _viewNs + (told * MemberNs);

    /// <summary>When the next view may take effect.</summary>
    /// <param name="told">How many members are told of a view.</param>
    /// <param name="members">How many members are in the newest.</param>
    /// <param name="changes">How many enter and leave by the next.</param>
    /// <param name="isLed">False when no round comes: the member that leads the newest view's ring is gone.</param>
    public long NextNs(int told, int members, int changes, bool isLed)
    {
        bool mustWait = !_isProved && isLed && (long)changes * MembersPerChange < members;
        return mustWait ? Math.Max(AnnouncedNs(told), _viewNs + LongestWaitNs) : AnnouncedNs(told);
    }
}
