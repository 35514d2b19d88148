using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <content>Handling of control frames once joined.</content>
internal sealed partial class Node
{
    /// <summary>False when the frame is malformed or unknown.</summary>
    internal bool TryTake(MessageType type, ReadOnlySpan<byte> body) => type switch
    {
        MessageType.SignerCertificate => Take<SignerCertificate>(body, s => _dependencies.Verifier.TryAddSigner(s.Der)),
        MessageType.ViewChange => Take<ViewChange>(body, OnViewChange),
        MessageType.RegionParts => Take<RegionParts>(body, p => _region?.SetParts(p)),
        MessageType.RegionCaching => Take<RegionCaching>(body, c => _region?.SetCaching(c)),
        MessageType.ViewFull => Take<ViewFull>(body, v => _region?.SetView(v.View)),
        MessageType.RegionRekey => Take<RegionRekey>(body, k => _region?.SetKey(k)),
        MessageType.RegionGroup => Take<RegionGroup>(body, _group.OnGroup),
        MessageType.StateVector => Take<StateVector>(body, OnVector),
        MessageType.CatchUpRelease => Take<CatchUpRelease>(body, r => Offer(r.Topic, r.Message.Span, isFromHost: true)),
        MessageType.CatchUpEnd => Take<CatchUpEnd>(body, OnCatchUpEnd),
        MessageType.SnapshotBegin => Take<SnapshotBegin>(body, s => SnapshotOf(s.Topic)?.OnBegin(s)),
        MessageType.SnapshotHeader => Take<SnapshotHeader>(body, s => SnapshotOf(s.Topic)?.OnHeader(s)),
        MessageType.SnapshotKeys => Take<SnapshotKeys>(body, s => SnapshotOf(s.Topic)?.OnKeys(s)),
        MessageType.SnapshotEnd => Take<SnapshotEnd>(body, s => SnapshotOf(s.Topic)?.OnEnd(s)),
        MessageType.Body => Take<Body>(body, _fetcher.OnBody),
        MessageType.BodyManifest => Take<BodyManifest>(body, _fetcher.OnManifest),
        MessageType.Chunk => Take<Chunk>(body, _fetcher.OnChunk),
        MessageType.BodyMissing => Take<BodyMissing>(body, _fetcher.OnMissing),
        MessageType.DirectDemand => Take<DirectDemand>(body, OnDirectDemand),
        MessageType.ProofRequest => Take<ProofRequest>(body, OnProofRequest),
        MessageType.PublishResult => Take<PublishResult>(body, a => Calls.Answer(a.Call, a)),
        MessageType.HistoryResult => Take<HistoryResult>(body, a => Calls.Answer(a.Call, a)),
        MessageType.ReadKeyResult => Take<ReadKeyResult>(body, a => Calls.Answer(a.Call, a)),
        MessageType.WaitProgress => Take<WaitProgress>(body, a => Calls.Answer(a.Call, a)),
        MessageType.WaitResult => Take<WaitResult>(body, a => Calls.Answer(a.Call, a)),
        MessageType.MonitorPoint => Take<MonitorPoint>(body, a => Calls.Answer(a.Call, a)),
        MessageType.EventDelivery => Take<EventDelivery>(body, d => Events?.OnDelivery(d)),
        MessageType.EmitResult => Take<EmitResult>(body, r => Events?.OnEmitted(r)),
        MessageType.SubscriptionEnded => Take<SubscriptionEnded>(body, e => Events?.OnEnded(e)),
        MessageType.StatusResult => Take<StatusResult>(body, a => Calls.Answer(a.Call, a)),
        MessageType.CallResult => Take<CallResult>(body, a => Calls.Answer(a.Call, a)),
        _ => false,
    };

    internal void OnWritable()
    {
        if (_mustReport)
        {
            Report();
        }

        _group.OnWritable();
        _fetcher.OnWritable();
        OnLinkWritable?.Invoke();
    }

    /// <summary>
    /// Fetches a value of an application in the interest by digest, to read a past release. Verified; null when it is not available.
    /// </summary>
    public void FetchBody(uint topic, Digest160 digest, int length, Action<ReadOnlyMemory<byte>?> done)
    {
        if (_session.JoinedLink is null)
        {
            done(null);
            return;
        }

        _fetcher.Fetch(topic, new WantedValue(digest, length), fetched => done(fetched.Bytes));
    }

    private static bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
        where T : class, IMessage<T>
    {
        if (MessageCodec.TryRead(body, out T? message) != DecodeStatus.Ok)
        {
            return false;
        }

        handle(message!);
        return true;
    }

    private SnapshotIntake? SnapshotOf(uint topic) =>
        _byTopic.TryGetValue(topic, out ApplicationReplica? replica) ? _snapshots[replica.Name] : null;

    private void OnViewChange(ViewChange change)
    {
        if (_region is { } region && region.View.RegionId == change.RegionId && !region.TryChange(change))
        {
            _session.JoinedLink?.TrySend(new ViewRequest(change.RegionId));
        }
    }

    private void OnVector(StateVector vector)
    {
        foreach (TopicState topic in vector.Topics)
        {
            _catchUps.Learn(topic);
        }

        if (!_session.IsHostSilent)
        {
            OnHostHeard();
        }
    }

    private void OnCatchUpEnd(CatchUpEnd end)
    {
        if (!_byTopic.TryGetValue(end.Topic, out ApplicationReplica? replica))
        {
            return;
        }

        if (end.Before != 0)
        {
            PastAnswer answer = end.Code switch
            {
                ErrorCode.Busy or ErrorCode.StoreFailed => PastAnswer.Busy,
                ErrorCode.NotFound => PastAnswer.None,
                _ => PastAnswer.Ended,
            };
            if (answer != PastAnswer.Busy)
            {
                _pasts.OnFetched();
            }

            replica.OnPastEnd(end.Before, answer);
            _decisionRecheck.Watch(replica);
        }
        else
        {
            _catchUps.Find(replica.Name)!.OnEnd(end.Generation, end.Release);
        }
    }

    private void OnDirectDemand(DirectDemand demand)
    {
        if (!_byTopic.TryGetValue(demand.Topic, out ApplicationReplica? replica))
        {
            return;
        }

        _directDemands.Add(demand.Topic, demand.Release);
        LevelRow levels = replica.Levels;
        bool isAnswer = _directDemands.MustReport(levels);
        if (isAnswer || levels.Received >= demand.Release)
        {
            MarkUntold(replica);
            Report();
        }
    }

    private void OnProofRequest(ProofRequest request)
    {
        if (_byTopic.TryGetValue(request.Topic, out ApplicationReplica? replica) && replica.Received.Proof is { } proof)
        {
            ReadOnlyMemory<byte> signer = _dependencies.Verifier.CertificateOf(proof.Signature.SignerId);
            _session.JoinedLink?.TrySend(new Proof(request.Topic, proof.Signed.Encode(), proof.Signature.Encode(), signer));
        }
    }
}
