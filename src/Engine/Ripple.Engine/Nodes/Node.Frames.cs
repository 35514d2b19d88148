using Ripple.Engine.Control;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <content>What comes on the control channel once joined.</content>
public sealed partial class Node
{
    /// <summary>False when the frame is malformed or not known.</summary>
    internal bool TryTake(ControlType type, ReadOnlySpan<byte> body) => type switch
    {
        ControlType.ViewChange => Take<ViewChange>(body, OnViewChange),
        ControlType.ViewFull => Take<ViewFull>(body, v => _region?.SetView(v.View)),
        ControlType.RegionRekey => Take<RegionRekey>(body, k => _region?.SetKey(k)),
        ControlType.RegionGroup => Take<RegionGroup>(body, _group.OnGroup),
        ControlType.Vector => Take<Vector>(body, OnVector),
        ControlType.CatchUpRelease => Take<CatchUpRelease>(body, r => Offer(r.Topic, r.Message.Span)),
        ControlType.CatchUpEnd => Take<CatchUpEnd>(body, OnCatchUpEnd),
        ControlType.SnapshotBegin => Take<SnapshotBegin>(body, s => SnapshotOf(s.Topic)?.OnBegin(s)),
        ControlType.SnapshotKeys => Take<SnapshotKeys>(body, s => SnapshotOf(s.Topic)?.OnKeys(s)),
        ControlType.SnapshotEnd => Take<SnapshotEnd>(body, s => SnapshotOf(s.Topic)?.OnEnd(s)),
        ControlType.Body => Take<Body>(body, _fetcher.OnBody),
        ControlType.BodyManifest => Take<BodyManifest>(body, _fetcher.OnManifest),
        ControlType.Chunk => Take<Chunk>(body, _fetcher.OnChunk),
        ControlType.BodyMissing => Take<BodyMissing>(body, _fetcher.OnMissing),
        ControlType.DirectDemand => Take<DirectDemand>(body, OnDirectDemand),
        ControlType.ProofRequest => Take<ProofRequest>(body, OnProofRequest),
        ControlType.PublishResult => Take<PublishResult>(body, a => Calls.Answer(a.Call, a)),
        ControlType.HistoryResult => Take<HistoryResult>(body, a => Calls.Answer(a.Call, a)),
        ControlType.ReadKeyResult => Take<ReadKeyResult>(body, a => Calls.Answer(a.Call, a)),
        ControlType.WaitProgress => Take<WaitProgress>(body, a => Calls.Answer(a.Call, a)),
        ControlType.WaitResult => Take<WaitResult>(body, a => Calls.Answer(a.Call, a)),
        ControlType.StatusResult => Take<StatusResult>(body, a => Calls.Answer(a.Call, a)),
        ControlType.CallResult => Take<CallResult>(body, a => Calls.Answer(a.Call, a)),
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

    /// <summary>Fetches a value of an application of the interest by digest, for a read of the past. Verified; null when it cannot be had.</summary>
    public void FetchBody(uint topic, Digest160 digest, int length, Action<ReadOnlyMemory<byte>?> done)
    {
        if (_session.JoinedLink is null)
        {
            done(null);
            return;
        }

        _fetcher.Fetch(topic, digest, length, default, done);
    }

    private static bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
        where T : class, IControlMessage<T>
    {
        if (ControlCodec.TryRead(body, out T? message) != DecodeStatus.Ok)
        {
            return false;
        }

        handle(message!);
        return true;
    }

    private SnapshotIntake? SnapshotOf(uint topic) => _byTopic.TryGetValue(topic, out ApplicationReplica? replica) ? _snapshots[replica.Name] : null;

    private void OnViewChange(ViewChange change)
    {
        if (_region is { } region && region.View.RegionId == change.RegionId && !region.TryChange(change))
        {
            _session.JoinedLink?.TrySend(new ViewRequest(change.RegionId));
        }
    }

    private void OnVector(Vector vector)
    {
        foreach (TopicState topic in vector.Topics)
        {
            Learn(topic);
        }
    }

    private void OnCatchUpEnd(CatchUpEnd end)
    {
        if (_byTopic.TryGetValue(end.Topic, out ApplicationReplica? replica))
        {
            _catchUps[replica.Name].OnEnd(end.Generation, end.Release);
        }
    }

    private void OnDirectDemand(DirectDemand demand)
    {
        if (!_byTopic.TryGetValue(demand.Topic, out ApplicationReplica? replica))
        {
            return;
        }

        _directDemands[demand.Topic] = Math.Max(demand.Release, _directDemands.GetValueOrDefault(demand.Topic));
        if (replica.Levels.Received >= demand.Release)
        {
            Report();
        }
    }

    private void OnProofRequest(ProofRequest request)
    {
        if (_byTopic.TryGetValue(request.Topic, out ApplicationReplica? replica) && replica.Received.Proof is { } proof)
        {
            _session.JoinedLink?.TrySend(new Proof(request.Topic, proof.Signed.Encode(), proof.Signature.Encode()));
        }
    }
}
