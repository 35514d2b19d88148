using System.Globalization;
using Ripple.Engine.Frontier;
using Ripple.Engine.Interest;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>
/// One control connection of a proved node: its join, heartbeats, evidence and catch-up. Calls of the API are <see cref="SessionCalls"/>. Core thread.
/// </summary>
internal sealed class NodeConnection : ILinkHandler
{
    private readonly HostCore _host;
    private readonly HostContext _context;
    private readonly ILink _link;
    private readonly SessionOutbox _outbox;
    private readonly SessionCatchUp _catchUp;
    private readonly BodyServer _bodies;
    private readonly SessionCalls _calls;
    private readonly SortedSet<uint> _proofsAsked = [];
    private readonly int _roomBytesMax;
    private int _lastRoomBytes;
    private long _lastTakenNs;
    private Join? _join;
    private bool _isClosed;
    private bool _isPumping;
    private bool _isBulkWaiting;

    public NodeConnection(HostCore host, HostContext context, ILink link)
    {
        _host = host;
        _context = context;
        _link = link;
        _outbox = new SessionOutbox(link, host.Passing, () => host.CloseSlowest(this));
        _catchUp = new SessionCatchUp(context, host.Counters, host.Passing, Pump);
        _bodies = new BodyServer(host.Values, Pump);
        _calls = new SessionCalls(host, context, this);
        Node = new NodeId(link.Peer.NodeIdHigh, link.Peer.NodeIdLow);
        LastHeardNs = context.Core.NowNs;
        _lastTakenNs = context.Core.NowNs;
        _roomBytesMax = link.SendRoomBytes;
        link.Handler = this;
    }

    public NodeId Node { get; }

    public LinkPeer Peer => _link.Peer;

    /// <summary>The application of its certificate, for the audit: who acts.</summary>
    public string Actor => Peer.Name.Length > 0 ? $"{Peer.Role}:{Peer.Name}" : $"{Peer.Role}:{Node}";

    public ulong Incarnation { get; private set; }

    /// <summary>The member slot; 0 before the first view.</summary>
    public uint Slot { get; private set; }

    public RegionMember? RegionMember { get; private set; }

    public ServedRegion? Region { get; set; }

    public MemberRecord? Record { get; private set; }

    public RegionIdentity? Identity { get; private set; }

    /// <summary>When anything last came from the node.</summary>
    public long LastHeardNs { get; private set; }

    public bool IsJoined => Slot != 0;

    /// <summary>Whether the node may be told of a multicast group.</summary>
    public bool KnowsGroups => _join?.ProtocolVersion >= Join.GroupVersion;

    /// <summary>True once the connection is gone, or was closed here.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Bytes of messages that the connection did not take yet.</summary>
    public long WaitingBytes => _outbox.Bytes;

    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        LastHeardNs = _context.Core.NowNs;
        bool isTaken = (MessageType)type switch
        {
            MessageType.Join => Take<Join>(body, OnJoin),
            MessageType.Heartbeat => Take<Heartbeat>(body, OnHeartbeat),
            MessageType.Report => Take<Report>(body, OnReport),
            MessageType.GroupReport => Take<GroupReport>(body, OnGroupReport),
            MessageType.StateVectorRequest => Take<StateVectorRequest>(body, _ => Send(new StateVector(Topics()))),
            MessageType.ViewRequest => Take<ViewRequest>(body, OnViewRequest),
            MessageType.CatchUpRequest => Take<CatchUpRequest>(body, OnCatchUpRequest),
            MessageType.BodyRequest => Take<BodyRequest>(body, OnBodyRequest),
            MessageType.ChunkRequest => Take<ChunkRequest>(body, OnChunkRequest),
            MessageType.Proof => Take<Proof>(body, p => _host.OnProof(this, p)),
            MessageType.Leave => Take<Leave>(body, _ => Close("the node left", RemovalCause.Left)),
            _ => _calls.TryTake((MessageType)type, body),
        };
        if (!isTaken)
        {
            _host.Counters.ControlRefused++;
            _host.Events.OnRefused(Node, $"control frame {type}");
            Close("it sent a control frame that is malformed or not known", RemovalCause.Failed);
        }
    }

    public void OnWritable()
    {
        _lastTakenNs = _context.Core.NowNs;
        Pump();
    }

    public void OnClosed(string reason)
    {
        _isClosed = true;
        GiveBack();
        _host.OnSessionClosed(this, RemovalCause.Failed, reason);
    }

    public void Send<T>(T message)
        where T : class, IMessage<T>
    {
        if (_isClosed)
        {
            return;
        }

        _outbox.Send(message);
        if (_outbox.IsOverflowed)
        {
            Close("it does not read what it is sent", RemovalCause.Failed);
        }
    }

    /// <summary>Sends a body that was encoded once for many.</summary>
    public void Send(MessageType type, byte[] body)
    {
        if (_isClosed)
        {
            return;
        }

        _outbox.Send(type, body);
        if (_outbox.IsOverflowed)
        {
            Close("it does not read what it is sent", RemovalCause.Failed);
        }
    }

    public void Close(string reason, RemovalCause cause)
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        GiveBack();
        _link.Close(reason);
        _host.OnSessionClosed(this, cause, reason);
    }

    /// <summary>The region gave it a slot in the view that is being made.</summary>
    public RegionMember BecomeMember(uint slot)
    {
        Slot = slot;
        RegionMember = new RegionMember(slot, Node, Incarnation, _join!.DataAddress, _join.ControlAddress);
        return RegionMember;
    }

    /// <summary>The host sends in the view that includes it: from here on it is owed what comes.</summary>
    public void Accept(ServedRegion region, byte[] key, ulong firstSequence)
    {
        if (_isClosed)
        {
            // Closed while those before it in this view were answered: the region knows.
            return;
        }

        TopicState[] topics = Topics();
        Send(new JoinAccepted(
            Incarnation,
            _host.Incarnation,
            _host.DataAddress,
            _host.ControlAddress,
            Slot,
            region.View,
            region.KeyEpoch,
            key,
            firstSequence,
            topics,
            [.. _context.Signer.Certificates.Select(c => new SignerCertificate(c))],
            (uint)(_context.Options.HeartbeatNs / 1_000_000)));
        _host.OnJoined(this);
        foreach (TopicState topic in topics)
        {
            HeldState held = _join!.Held.FirstOrDefault(h => h.Application == topic.Application) ?? new HeldState(topic.Application, 0, 0, default);
            BringForward(_host.Find(topic.Topic)!, held.Generation, held.Release, held.Id);
        }
    }

    /// <summary>Brings the node to the newest release of an application, or asks it to prove that it is ahead.</summary>
    public void BringForward(ApplicationPrimary primary, uint generation, ulong release, Digest160 id)
    {
        ReleaseState committed = primary.Committed;
        if (generation == committed.Generation && release == committed.Release && id == committed.Id)
        {
            return;
        }

        bool isAhead = generation > committed.Generation || (generation == committed.Generation && release >= committed.Release);
        if (isAhead && release > 0)
        {
            if (_proofsAsked.Add(primary.Topic))
            {
                Send(new ProofRequest(primary.Topic));
            }

            return;
        }

        _catchUp.Request(primary, generation, release, id);
    }

    /// <summary>Sends what is committed here, whatever the node holds: its claim to be ahead did not convince.</summary>
    public void BringToCommitted(uint topic)
    {
        _proofsAsked.Remove(topic);
        if (_host.Find(topic) is { } primary)
        {
            _catchUp.Request(primary, 0, ulong.MaxValue, default);
        }
    }

    public TopicState[] Topics() =>
        [.. Identity!.Interest.Select(_host.Find).OfType<ApplicationPrimary>().Select(p => p.State(_context.SlotEpoch))];

    /// <summary>Since when the connection has not taken anything of what waits for it; now when nothing waits.</summary>
    public long StalledSinceNs()
    {
        int roomBytes = _link.SendRoomBytes;
        if (roomBytes > _lastRoomBytes || roomBytes >= _roomBytesMax)
        {
            _lastTakenNs = _context.Core.NowNs;
        }

        _lastRoomBytes = roomBytes;
        return _lastTakenNs;
    }

    /// <summary>Sends what is urgent; bulk has its turn at the end of this turn of the core, or of one of the next.</summary>
    public void Pump()
    {
        if (!_isClosed && _outbox.Flush() && !_isBulkWaiting)
        {
            _isBulkWaiting = true;
            _host.Bulk.Add(this);
        }
    }

    /// <summary>It is this connection's turn.</summary>
    public void PumpBulk()
    {
        _isBulkWaiting = false;
        // A feed that reads may call back while it is pumped.
        if (_isClosed || _isPumping)
        {
            return;
        }

        _isPumping = true;
        if (_outbox.Flush() && _calls.Pump(_link) && _bodies.Pump(_link))
        {
            _catchUp.Pump(_link);
        }

        _isPumping = false;
    }

    private void GiveBack()
    {
        _calls.OnClosed();
        _outbox.Close();
        _catchUp.Close();
    }

    private bool Take<T>(ReadOnlySpan<byte> body, Action<T> handle)
        where T : class, IMessage<T>
    {
        if (MessageCodec.TryRead(body, out T? message) != DecodeStatus.Ok)
        {
            return false;
        }

        if (_join is null && message is not Join)
        {
            // Before a join only calls of the API make sense.
            return message is Leave;
        }

        handle(message!);
        return true;
    }

    private void OnJoin(Join join)
    {
        if (_join is not null)
        {
            Close("it joined twice on one connection", RemovalCause.Failed);
            return;
        }

        _join = join;
        if (_host.Refuse(this, join) is { } refusal)
        {
            Send(new JoinRefused(refusal.Code, refusal.Text));
            _host.Counters.JoinsRefused++;
            Close(refusal.Text, RemovalCause.Failed);
            return;
        }

        Identity = new RegionIdentity(join.Zone, Peer.Application, join.Interest);
        _host.Admit(this, join);
    }

    /// <summary>The host gave it an incarnation.</summary>
    public void BecomeIncarnation(ulong incarnation)
    {
        Incarnation = incarnation;
        string name = _join!.Name.Length > 0 ? _join.Name : string.Create(CultureInfo.InvariantCulture, $"{Node}");
        Record = new MemberRecord(Node, incarnation, name, _join.Zone, Peer.Application, _join.Labels, Peer.TokenId);
    }

    private void OnHeartbeat(Heartbeat heartbeat)
    {
        if (!IsJoined)
        {
            return;
        }

        foreach (LevelRow row in heartbeat.Rows)
        {
            _host.OnDirect(this, row);
        }

        _host.EvaluateSoon();
        Region!.Group?.OnHeartbeat(this);
        Send(new HeartbeatReply(heartbeat.Sequence, Region.View.Number, Region.Vector()));
    }

    private void OnGroupReport(GroupReport report)
    {
        if (IsJoined)
        {
            Region?.Group?.OnReport(this, report);
        }
    }

    private void OnReport(Report report)
    {
        if (!IsJoined)
        {
            return;
        }

        foreach (LevelRow row in report.Rows)
        {
            _host.OnDirect(this, row);
        }

        foreach (RejectionRow rejection in report.Rejections)
        {
            _host.OnRejection(this, rejection);
        }

        _host.EvaluateWaits();
    }

    private void OnViewRequest(ViewRequest request)
    {
        if (Region is { } region && region.View.RegionId == request.RegionId)
        {
            Send(new ViewFull(region.View));
        }
    }

    private void OnCatchUpRequest(CatchUpRequest request)
    {
        if (MayRead(request.Topic) is { } primary)
        {
            BringForward(primary, request.Generation, request.Release, request.Id);
        }
    }

    private void OnBodyRequest(BodyRequest request)
    {
        if (MayRead(request.Topic) is null || !_bodies.TryRequest(request))
        {
            Send(new BodyMissing(request.Topic, request.Digest));
        }
    }

    private void OnChunkRequest(ChunkRequest request)
    {
        if (MayRead(request.Topic) is null || !_bodies.TryRequest(request))
        {
            Send(new BodyMissing(request.Topic, request.Digest));
        }
    }

    /// <summary>The primary of a topic of the node's interest; null, counted, when it has no right to read it.</summary>
    private ApplicationPrimary? MayRead(uint topic)
    {
        ApplicationPrimary? primary = _host.Find(topic);
        if (primary is not null && Identity is not null && Identity.Interest.Contains(primary.Name))
        {
            return primary;
        }

        _host.Counters.ControlRefused++;
        return null;
    }
}
