namespace Ripple.Engine.Releases;

/// <content>
/// Deciding on the newest received state. While a newer one is known and on its way, nothing is decided: what a release takes back, because
/// it did harm, must not run in a process that comes late.
/// </content>
internal sealed partial class ApplicationReplica
{
    // In looks, one a second: a host may have to be connected to, or a large value fetched from it; a disk or a processor is faster.
    private const int LooksMaxForHost = 8;
    private const int LooksMax = 2;

    // How often a newer state, or a signature whether good or not, is waited for here: under a steady stream, or a forger's, there is
    // always one more under way. What one message or signature brings at once is waited for once.
    private const int WaitedMax = 8;

    private (uint Generation, ulong Release) _expected;
    private ApplicationState? _seen;
    private int _looks;
    private int _waited;
    private bool _mustDecide;
    private bool _isDeciding;
    private bool _isHeld;
    private bool _isUnjudged;
    private bool _awaitsHost;

    /// <summary>Whether a received state is neither decided nor held, so that what is in effect may change without a host.</summary>
    public bool IsUndecided => _isDeciding || (_mustDecide && !_isHeld);

    /// <summary>
    /// Whether a received state, or the search for a past one, waits for a newer one that is known to be on its way.
    /// </summary>
    public bool IsWaiting => (_mustDecide || IsSearching) && !_isDeciding && !_isHeld && IsBehind;

    /// <summary>Whether there is something to decide or to search, or will be when a host has said what is newest.</summary>
    public bool MayDecide => _awaitsHost || _mustDecide || IsSearching;

    /// <summary>Whether nothing is decided until a host has said what is newest.</summary>
    public bool IsAwaitingHost => _awaitsHost;

    private bool IsBehind =>
        IsBrought || _isInBatch || IsTaking || (_waited < WaitedMax && IsUnderWay);

    private bool IsUnderWay => _snapshot is not null || _staged.Count > 0 || _verifier.UnderWay > 0;

    private bool IsTaking => _isTaking || _verifier.IsTaking;

    /// <summary>Whether only a host can bring what is newer.</summary>
    private bool IsBrought => _awaitsHost || IsExpecting;

    private bool IsExpecting => (_received.Keys.Generation, _received.Keys.Release).CompareTo(_expected) < 0;

    /// <summary>
    /// Submits the restored received state for decision if it was not in effect when saved: the cause of a rejection may have been fixed. A
    /// host is heard first, since it may have a newer one.
    /// </summary>
    public void Start()
    {
        _awaitsHost = true;
        if (!ReferenceEquals(_received, _applied))
        {
            _mustDecide = true;
            _rejections.Withhold(_received.Keys.Release);
        }
    }

    /// <summary>The validators exist from now on: the newest received state is decided.</summary>
    public void BeginDeciding()
    {
        _isHeld = false;
        Decide();
    }

    /// <summary>
    /// What the validators say of the restored state, which is not told as applied before. With a reason it is in effect no more; it stays
    /// on disk, for what is accepted last is what the program can be set back to.
    /// </summary>
    /// <param name="reason">Why they reject it; null if they accept it.</param>
    public void JudgeRestored(string? reason)
    {
        if (!_isUnjudged)
        {
            return;
        }

        _isUnjudged = false;
        if (reason is not null && _applied.Keys is { Release: > 0 } keys)
        {
            _applied = ApplicationState.Empty(Name);
            if (keys.Generation == _received.Keys.Generation)
            {
                _rejections.Add(Topic, keys.Generation, keys.Release, reason);
                BeginSearch(keys.Release);
            }
        }

        OnLevelsMoved();
        Persist();
    }

    /// <summary>This node was away or silent: until a host has said what is newest, nothing is decided.</summary>
    public void AwaitHost() => _awaitsHost = true;

    /// <summary>A host has said what is newest, or cannot be reached.</summary>
    public void OnHostHeard()
    {
        _awaitsHost = false;
        Decide();
    }

    /// <summary>
    /// A host has this release, and brings it: nothing older is decided until it is here. One that is told later does not prolong this: at
    /// a host that never rests, there is always a newer one.
    /// </summary>
    public void Expect(uint generation, ulong release)
    {
        if (!_mustDecide || !IsExpecting)
        {
            _expected = (generation, release);
        }
    }

    /// <summary>Called once a second while <see cref="IsWaiting"/>: what does not come must not hold up what is here for ever.</summary>
    public void LookAgain()
    {
        bool hasMoved = !ReferenceEquals(_received, _seen);
        _seen = _received;
        _looks = hasMoved && IsBrought ? 0 : _looks + 1;
        if (_looks >= (IsBrought ? LooksMaxForHost : LooksMax))
        {
            _awaitsHost = false;
            _expected = default;
            DecideNow();
        }
    }

    private void OnVerified()
    {
        _waited += _mustDecide ? 1 : 0;
        Decide();
    }

    private void Decide()
    {
        if (!_isDeciding && !_isHeld && !IsBehind)
        {
            DecideNow();
        }
    }

    private void DecideNow()
    {
        if (_mustDecide)
        {
            _waited = 0;
            _mustDecide = false;
            Submit(_received);
        }
        else
        {
            Search();
        }
    }

    private void Submit(ApplicationState candidate)
    {
        _looks = 0;
        _isDeciding = true;
        _handler.OnCandidate(this, candidate, reason => OnDecided(candidate, reason));
    }

    private void OnDecided(ApplicationState candidate, string? reason)
    {
        if (!_isDeciding)
        {
            throw new InvalidOperationException("A candidate was decided twice.");
        }

        _isDeciding = false;
        if (reason is null)
        {
            _isUnjudged = false;
            _accepted = _applied = candidate;
            EndSearch();
            _handler.OnApplied(this, candidate);
        }
        else if (candidate.Keys.Generation == _received.Keys.Generation)
        {
            _rejections.Add(Topic, candidate.Keys.Generation, candidate.Keys.Release, reason);
            BeginSearch(candidate.Keys.Release);
        }

        OnLevelsMoved();
        Persist();
        Decide();
    }
}
