
namespace Ripple.Engine.Releases;

/// <content>
/// A node that rejects the newest release and has accepted none of its generation looks for a past state that it accepts, at a host. The
/// only case in which a release older than the newest received takes effect: nothing is asked for, or decided, while something newer is
/// here or known to be on its way, and whatever newer comes whole ends the search.
/// </content>
internal sealed partial class ApplicationReplica
{
    /// <summary>The releases decided on in this process and generation without being accepted, the newest of them.</summary>
    private readonly SortedSet<ulong> _tried = [];

    private PastSearch? _search;
    private PastQuestion? _asked;
    private PastSearch? _askedFor;

    /// <summary>Whether a past state to start from is being looked for, at a host.</summary>
    public bool IsSearching => _search is not null;

    /// <summary>
    /// The rejections of this process, oldest release first: of newest releases, and of the past ones that it looked at. Forgotten with the
    /// generation.
    /// </summary>
    public IEnumerable<RejectionRow> Tried => _rejections.Rows.Where(r => _tried.Contains(r.Release));

    private bool HasNoneOfGeneration => _applied.Keys.Release == 0 || _applied.Keys.Generation != _received.Keys.Generation;

    /// <summary>
    /// A past state came whose keys are not checked yet. Refused: another one than was asked for, one of another generation, one without
    /// its proof, one whose keys are not those of its header.
    /// </summary>
    public void OfferPast(ulong before, ReleaseProof proof, ReleaseStateBuilder table)
    {
        ReleaseHeader header = proof.Header;
        if (_asked is not { } asked || asked.Before != before || _search is not { } search || !ReferenceEquals(search, _askedFor))
        {
            // The answer to a question that something newer has made pointless.
            return;
        }

        if (header.Application != Name
            || header.Generation != _received.Keys.Generation
            || header.Release >= before
            || (!asked.IsMostApplied && header.Release != before - 1)
            || search.IsVerifying
            || search.Fetch is not null
            || search.Whole is not null)
        {
            _handler.OnRefused(this, new IntakeRefusal("a past state that was not asked for", header.Release));
            return;
        }

        if (_tried.Contains(header.Release))
        {
            return;
        }

        if (!proof.IsChained || !table.TryBuild(header, out ReleaseState? state))
        {
            _handler.OnRefused(
                this, new IntakeRefusal("a past state whose keys or proof are not the ones its header names", header.Release));
            return;
        }

        search.IsVerifying = true;
        if (_verifier.IsVerified(proof.Signature, proof.Signed.Id))
        {
            OnPastVerified(search, state, proof, isValid: true);
        }
        else
        {
            _verifier.Verify(proof.Signature, proof.Signed.Id, isValid => OnPastVerified(search, state, proof, isValid));
        }
    }

    /// <summary>The host has answered the question for a past state.</summary>
    public void OnPastEnd(ulong before, PastAnswer answer)
    {
        if (_asked is not { } asked || asked.Before != before)
        {
            return;
        }

        PastSearch? search = _askedFor;
        _asked = null;
        _askedFor = null;
        if (search is not null && ReferenceEquals(search, _search))
        {
            if (answer == PastAnswer.Busy)
            {
                _handler.OnPastBusy(this);
                return;
            }

            search.OnAnswered(asked, isThere: answer != PastAnswer.None);
        }

        Decide();
    }

    /// <summary>Asks again, after the host was busy or the connection took nothing.</summary>
    public void SearchAgain() => Decide();

    /// <summary>The connection is gone: no answer comes, and the next host may have other states.</summary>
    public void OnHostLost()
    {
        _asked = null;
        _askedFor = null;
        if (_search is not null)
        {
            _search = new PastSearch(_received.Keys.Release);
        }
    }

    private void BeginSearch(ulong rejected)
    {
        _tried.Add(rejected);
        if (_tried.Count > RejectionLog.CountMax)
        {
            _tried.Remove(_tried.Min);
        }

        if (!_mustDecide && HasNoneOfGeneration && rejected == _received.Keys.Release)
        {
            _search = new PastSearch(rejected);
        }
    }

    private void EndSearch() => _search = null;

    /// <summary>Does the next step of the search, if it can be done now.</summary>
    private void Search()
    {
        if (_search is not { IsVerifying: false, Fetch: null } search || _asked is not null)
        {
            return;
        }

        if (search.Whole is not null)
        {
            Submit(search.Take());
        }
        else if (search.Next(_tried) is not { } question)
        {
            EndSearch();
            _handler.OnSearchEnded(this);
        }
        else if (_handler.TryAskPast(this, question))
        {
            _asked = question;
            _askedFor = search;
        }
    }

    private void OnPastVerified(PastSearch search, ReleaseState state, ReleaseProof proof, bool isValid)
    {
        search.IsVerifying = false;
        if (!ReferenceEquals(search, _search))
        {
            return;
        }

        if (isValid)
        {
            search.Begin(new SnapshotFetch(state, proof, _received, _isWanted, before: null));
            FetchPast(search);
        }
        else
        {
            _handler.OnRefused(this, new IntakeRefusal("a past state whose signature is not the primary's", state.Release));
            Decide();
        }
    }

    private void FetchPast(PastSearch search)
    {
        SnapshotFetch? fetch = search.Fetch;
        while (fetch is not null && ReferenceEquals(fetch, search.Fetch) && fetch.TryNext(out KeyValuePair<string, KeyEntry> next))
        {
            _received.Values.TryGetValue(next.Key, out ReadOnlyMemory<byte> previous);
            var wanted = new WantedValue(next.Value.Digest, next.Value.Length, previous);
            _handler.Fetch(this, wanted, fetched => OnPastValue(search, fetch, next, fetched));
        }

        if (fetch is { IsComplete: true } && ReferenceEquals(fetch, search.Fetch))
        {
            search.OnWhole();
            Decide();
        }
    }

    private void OnPastValue(PastSearch search, SnapshotFetch fetch, KeyValuePair<string, KeyEntry> key, FetchedValue fetched)
    {
        fetch.OnEnded(key, fetched.Bytes);
        if (!ReferenceEquals(search, _search) || !ReferenceEquals(fetch, search.Fetch))
        {
            return;
        }

        if (fetched.Bytes is null)
        {
            if (fetched.Refusal is { } refusal)
            {
                _handler.OnRefused(this, new IntakeRefusal($"a value: {refusal}", fetch.State.Release, key.Key, key.Value.Digest));
            }

            _handler.OnMissing(
                this, new IntakeRefusal("a value that the host does not have", fetch.State.Release, key.Key, key.Value.Digest));
        }

        FetchPast(search);
    }

    private void FetchPastAgain()
    {
        if (_search is { } search)
        {
            search.TryAgain();
            FetchPast(search);
            Decide();
        }
    }
}
