namespace Ripple.Engine.Releases;

/// <summary>
/// The results computed from one message that several nodes of a core received; the first node that needs a result computes it. Core
/// thread.
/// </summary>
internal sealed class SharedWork(SharedReleases owner)
{
    private ReleaseState? _from;
    private ReleaseState? _to;
    private ReleaseMessage? _signed;
    private ReleaseProof? _proof;
    private ApplicationState? _stateFrom;
    private ApplicationState? _stateTo;

    /// <summary>True once the verifier of these nodes has verified its signature.</summary>
    public bool IsVerified { get; set; }

    /// <summary>Digest-checked values by change index; null until first computed. Read-only.</summary>
    public ReadOnlyMemory<byte>?[]? Bodies { get; set; }

    /// <summary>The state that follows <paramref name="head"/> by this release; null when it is not known.</summary>
    public ReleaseState? After(ReleaseState head) => _to is not null && _from!.IsSame(head) ? _to : null;

    public void SetAfter(ReleaseState head, ReleaseState next)
    {
        _from = head;
        _to = next;
    }

    /// <summary>
    /// The proof that ends with this signed message; null when it is not known. Each header names the one before it, so the two ends
    /// determine the whole proof.
    /// </summary>
    public ReleaseProof? ProofBy(ReleaseMessage signed) => ReferenceEquals(_signed, signed) ? _proof : null;

    public void SetProof(ReleaseMessage signed, ReleaseProof proof)
    {
        _signed = signed;
        _proof = proof;
    }

    /// <summary>
    /// The state, with all values, that follows <paramref name="received"/> by this release; null when it is not known. For nodes that take
    /// every key.
    /// </summary>
    public ApplicationState? After(ApplicationState received) => _stateTo is not null && IsSame(_stateFrom!, received) ? _stateTo : null;

    public void SetAfter(ApplicationState received, ApplicationState next)
    {
        _stateFrom = received;
        _stateTo = next;
        owner.NoteState();
    }

    public void DropState()
    {
        _stateFrom = null;
        _stateTo = null;
    }

    /// <summary>Called when a value of the release was fetched, not part of its message.</summary>
    public void OnFetched() => owner.DropStates();

    /// <summary>Two complete sets of values are equal when both were checked against the same key table.</summary>
    private static bool IsSame(ApplicationState a, ApplicationState b) =>
        ReferenceEquals(a, b) || (a.Keys.IsSame(b.Keys) && a.Values.Count == a.Keys.Keys.Count && b.Values.Count == b.Keys.Keys.Count);
}
