using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <content>What the node's replicas report, and what they have fetched, asked for and saved.</content>
internal sealed partial class Node
{
    void IReplicaHandler.OnReceived(ApplicationReplica replica, ApplicationState state)
    {
        _digest.Set(replica.Name, state.Keys.Generation, state.Keys.Release, state.Keys.Id);
        _dependencies.Handler.OnReceived(replica, state);
    }

    void IReplicaHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide) =>
        _dependencies.Handler.OnCandidate(replica, candidate, decide);

    void IReplicaHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => _dependencies.Handler.OnApplied(replica, state);

    void IReplicaHandler.OnLevelsChanged(ApplicationReplica replica)
    {
        MarkUntold(replica);
        _region?.OnChanged();
        _catchUps.OnMoved(replica.Name);
        _decisionRecheck.Watch(replica);
        bool isRejected = replica.RejectedRelease != 0 && replica.RejectedRelease == replica.Levels.Received;
        // Asked in any case: a report also answers a demand.
        bool isDemanded = _directDemands.MustReport(replica.Levels);
        if (isRejected || isDemanded)
        {
            Report();
        }
        else
        {
            ReportAsLeaf();
        }
    }

    void IReplicaHandler.OnBehind(ApplicationReplica replica) => _catchUps.Mark(replica.Name);

    void IReplicaHandler.OnRefused(ApplicationReplica replica, IntakeRefusal refusal) => OnRefused(replica, refusal);

    void IReplicaHandler.OnMissing(ApplicationReplica replica, IntakeRefusal missing)
    {
        if (_session.JoinedLink is null)
        {
            return;
        }

        _fetches.OnMissing();
        if (_fetches.IsLong)
        {
            _dependencies.Handler.OnRefused(replica.Name, missing);
        }
    }

    bool IReplicaHandler.TryAskPast(ApplicationReplica replica, PastQuestion question)
    {
        ReleaseState received = replica.Received.Keys;
        if (_session.JoinedLink is not { } link)
        {
            // Asked after the next join.
            return false;
        }

        bool isAsked = link.TrySend(new CatchUpRequest(
            replica.Topic, received.Generation, received.Release, received.Id, question.Before, question.IsMostApplied));
        if (!isAsked)
        {
            _pasts.OnMissing();
        }

        Counters.PastStatesAsked += isAsked ? 1 : 0;
        return isAsked;
    }

    void IReplicaHandler.OnPastBusy(ApplicationReplica replica) => _pasts.OnMissing();

    void IReplicaHandler.OnSearchEnded(ApplicationReplica replica) => _dependencies.Handler.OnSearchEnded(replica);

    void IReplicaHandler.Fetch(ApplicationReplica replica, in WantedValue wanted, Action<FetchedValue> done)
    {
        if (_session.JoinedLink is null)
        {
            // No host to ask: the replica keeps its position and retries after the next join.
            return;
        }

        _fetcher.Fetch(replica.Topic, wanted, fetched =>
        {
            if (fetched.Bytes is not null)
            {
                _fetches.OnFetched();
            }

            done(fetched);
        });
    }

    bool IReplicaHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done) =>
        _dependencies.Handler.TryPersist(replica, snapshot, isSaved =>
        {
            done(isSaved);
            if (!_isDisposed)
            {
                _saves.OnEnded(isSaved);
            }
        });

    private void OnRefused(ApplicationReplica replica, IntakeRefusal refusal)
    {
        Counters.Forged++;
        if (refusal.IsKept)
        {
            _region?.OnFalseMessage(refusal.Sealer);
        }
        else
        {
            _region?.OnFalseMessage();
        }

        _dependencies.Handler.OnRefused(replica.Name, refusal);
        // Data displaced by a forgery is fetched again from a host.
        _catchUps.Mark(replica.Name);
    }

    private bool TrySend(CatchUpRequest request)
    {
        bool isSent = _session.JoinedLink?.TrySend(request) == true;
        Counters.CatchUps += isSent ? 1 : 0;
        return isSent;
    }

    private void FetchAgain()
    {
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.FetchAgain();
        }
    }

    private void SearchAgain()
    {
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.SearchAgain();
        }
    }

    private void SaveAgain()
    {
        foreach (ApplicationReplica replica in _byName.Values)
        {
            replica.SaveAgain();
        }
    }
}
