namespace Ripple.Engine.Wire;

/// <summary>
/// Notices that a sealer's packets are refused although they are genuine: somebody else who holds the key has counted ahead in its name.
/// Counts, over a minute, genuine packets of one sealer and class that lie outside of the replay window, and nothing else: what is opened
/// under the sealer's slot may all be the other's, and must not be able to outweigh them. Core thread.
/// </summary>
internal struct RefusedRun
{
    /// <summary>How long refusals must go on.</summary>
    public const long DeafNs = 2_000_000_000;

    /// <summary>After this time, counting starts over.</summary>
    private const long RunNs = 60_000_000_000;

    /// <summary>
    /// The shortest time between two that are counted: those that one delay on the way has made late count as one, and few are
    /// authenticated only to be refused.
    /// </summary>
    private const long ProbeNs = 500_000_000;

    private const int ProvedMin = 4;

    private long _sinceNs;
    private long _provedNs;
    private ulong _newest;
    private int _proved;

    /// <summary>
    /// True if a packet outside of the window, with this number, should be authenticated. The same one again says nothing.
    /// </summary>
    public readonly bool MustProve(ulong number, long nowNs) =>
        _proved == 0 || (number != _newest && nowNs - _provedNs >= ProbeNs);

    /// <summary>Counts one that is genuine, or a member's; true if the sealer is not heard any more. Counting then starts over.</summary>
    public bool IsDeafAfter(ulong number, long nowNs)
    {
        if (nowNs - _sinceNs > RunNs)
        {
            _proved = 0;
        }

        _sinceNs = _proved == 0 ? nowNs : _sinceNs;
        _provedNs = nowNs;
        _newest = number;
        if (++_proved < ProvedMin || nowNs - _sinceNs < DeafNs)
        {
            return false;
        }

        this = default;
        return true;
    }
}
