using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Calls;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Sessions;

/// <content>Handling of the node's control frames.</content>
internal sealed partial class NodeConnection
{
    /// <inheritdoc/>
    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        LastHeardNs = _services.Context.Core.NowNs;
        Suspicion.Refute();
        _calls.Share.TakeForFrame(CallCosts.OfFrame((MessageType)type, body.Length));
        bool isTaken = (MessageType)type switch
        {
            MessageType.Join => Take<Join>(body, OnJoin),
            MessageType.Heartbeat => Take<Heartbeat>(body, OnHeartbeat),
            MessageType.Report => Take<Report>(body, OnReport),
            MessageType.RepairReport => Take<RepairReport>(body, r => Repairs = r),
            MessageType.KeyRequest => Take<KeyRequest>(body, OnKeyRequest),
            MessageType.GroupReport => Take<GroupReport>(body, OnGroupReport),
            MessageType.PathAnswer => Take<PathAnswer>(body, OnPathAnswer),
            MessageType.StateVectorRequest => Take<StateVectorRequest>(body, _ => _states.AskForVector()),
            MessageType.ViewRequest => Take<ViewRequest>(body, OnViewRequest),
            MessageType.CatchUpRequest => Take<CatchUpRequest>(body, OnCatchUpRequest),
            MessageType.BodyRequest => Take<BodyRequest>(body, r => OnValueRequest(r.Topic, r.Digest, () => _bodies.TryRequest(r))),
            MessageType.ChunkRequest => Take<ChunkRequest>(body, r => OnValueRequest(r.Topic, r.Digest, () => _bodies.TryRequest(r))),
            MessageType.Proof => Take<Proof>(body, _catchUp.OnProof),
            MessageType.Subscribe => Take<Subscribe>(body, _events.OnSubscribe),
            MessageType.Unsubscribe => Take<Unsubscribe>(body, _events.OnUnsubscribe),
            MessageType.Emit => Take<Emit>(body, _events.OnEmit),
            MessageType.EventAck => Take<EventAck>(body, _events.OnAck),
            MessageType.Leave => Take<Leave>(body, _ => Close("the node left", RemovalCause.Left)),
            _ => _calls.TryTake((MessageType)type, body),
        };
        if (!isTaken)
        {
            _services.Counters.ControlRefused++;
            _services.Events.OnRefused(Node, $"control frame {type}");
            Close("it sent a control frame that is malformed or not known", RemovalCause.Failed);
        }

        if (!IsClosed && !_isHeld && !_calls.Share.MayTakeFrames(isNew: true))
        {
            _isHeld = true;
            _link.Hold();
            _table.Hold(this);
        }
    }

    /// <summary>Before a join only calls make sense; whoever leaves then is not answered.</summary>
    private bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
        where T : class, IMessage<T> =>
        State is ConnectionState.Connected && typeof(T) != typeof(Join)
            ? typeof(T) == typeof(Leave) && MessageCodec.TryRead(body, out T? _) == DecodeStatus.Ok
            : ConnectionCalls.Take(body, handle);

    private void OnJoin(Join join)
    {
        if (State is not ConnectionState.Connected)
        {
            Close("it joined twice on one connection", RemovalCause.Failed);
            return;
        }

        KnowsParts = join.ProtocolVersion >= Join.PartsVersion;
        KnowsCaching = join.ProtocolVersion >= Join.CachingVersion;
        KnowsGathering = join.ProtocolVersion >= Join.GatheringVersion;
        KnowsLeaves = join.ProtocolVersion >= Join.LeavesVersion;
        KnowsHosts = join.ProtocolVersion >= Join.HostsVersion;
        KnowsShortForms = _catchUp.Feed.KnowsShortForms = join.ProtocolVersion >= Join.ShortFormsVersion;
        var entering = new ConnectionState.Entering(join, new RegionIdentity(join.Zone, Peer.Application, join.Interest));
        State = entering;
        if (_table.Refuse(this, join) is { } refusal)
        {
            Refuse(refusal);
            return;
        }

        _table.Admit(this, entering);
    }

    private void OnHeartbeat(Heartbeat heartbeat)
    {
        if (State is not ConnectionState.Member member)
        {
            return;
        }

        HeartbeatGapNs = _heartbeatNs == 0 ? 0 : LastHeardNs - _heartbeatNs;
        _heartbeatNs = LastHeardNs;
        member.Rows.OnHeard();
        foreach (LevelRow row in heartbeat.Rows)
        {
            member.Rows.OnLevels(row, isDirect: true);
        }

        _services.Frontiers.EvaluateSoon();
        member.Region.Group?.OnHeartbeat(this);
        // A leaf is owed nothing of the stream.
        ulong nextSequence = member is ConnectionState.Leaf ? 0 : member.Region.Stream.NextSequence;
        Send(new HeartbeatReply(heartbeat.Sequence, member.Region.View.Number, nextSequence, member.Region.Vector()));
    }

    private void OnReport(Report report)
    {
        if (State is not ConnectionState.Member member)
        {
            return;
        }

        member.Rows.OnHeard();
        foreach (LevelRow row in report.Rows)
        {
            member.Rows.OnLevels(row, isDirect: true);
        }

        foreach (RejectionRow rejection in report.Rejections)
        {
            member.Rows.OnRejection(rejection, isDirect: true);
        }

        _services.Frontiers.EvaluateWaits();
    }

    /// <summary>A call, and so answered before the node has joined, too.</summary>
    internal void OnLevelReport(LevelReport report)
    {
        Refusal? refusal = State is not ConnectionState.Member member
            ? new Refusal(ErrorCode.Busy, "The node has not joined yet. Report again when it has.")
            : _calls.Share.TryTake(CallCosts.CallNs)
                ?? _services.Calls.RefuseUnread(report.Application)
                ?? member.Rows.OnClaim(report);
        Send(new CallResult(report.Call, refusal?.Code ?? ErrorCode.None, refusal?.Text ?? string.Empty));
        _services.Frontiers.EvaluateWaits();
    }

    private void OnKeyRequest(KeyRequest request)
    {
        if (State is ConnectionState.Member member)
        {
            member.Region.OnKeyRequest(this, request);
        }
    }

    private void OnGroupReport(GroupReport report)
    {
        if (State is ConnectionState.Member member)
        {
            member.Region.Group?.OnReport(this, report);
        }
    }

    private void OnPathAnswer(PathAnswer answer)
    {
        if (State is ConnectionState.Member member)
        {
            member.Region.Paths.OnAnswer(this, answer);
        }
    }

    private void OnViewRequest(ViewRequest request)
    {
        if (ViewOf() is { } view && view.RegionId == request.RegionId)
        {
            _states.AskForView();
        }
    }

    private RegionView? ViewOf() => (State as ConnectionState.Waiting)?.Region.View;

    private void OnCatchUpRequest(CatchUpRequest request)
    {
        if (MayRead(request.Topic) is not { } primary)
        {
            return;
        }

        if (request.Before != 0)
        {
            _pastStates.Request(primary, request);
        }
        else
        {
            _catchUp.BringForward(primary, request.Generation, request.Release, request.Id);
        }
    }

    private void OnValueRequest(uint topic, Digest160 digest, Func<bool> tryRequest)
    {
        if (MayRead(topic) is null || !tryRequest())
        {
            Send(new BodyMissing(topic, digest));
        }
    }

    /// <summary>The primary of a topic in the node's interest; null, and counted as refused, if the node may not read it.</summary>
    private ApplicationPrimary? MayRead(uint topic)
    {
        ApplicationPrimary? primary = _services.Applications.Find(topic);
        if (primary is not null && State is ConnectionState.Entering { Identity: { } identity } && identity.Takes(primary.Name))
        {
            return primary;
        }

        _services.Counters.ControlRefused++;
        return null;
    }
}
