using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Sessions;

/// <summary>
/// One control connection of an authenticated node: its join, heartbeats, evidence and catch-up. Its other calls are handled by
/// <see cref="ConnectionCalls"/>. Core thread.
/// </summary>
internal sealed partial class NodeConnection : ILinkHandler, IRegionMember
{
    private readonly SessionServices _services;
    private readonly ConnectionTable _table;
    private readonly ConnectionSender _sender;
    private readonly ConnectionCalls _calls;
    private readonly NodeCatchUp _catchUp;
    private readonly PastStateFeed _pastStates;
    private readonly EventFeed _events;
    private readonly BodyFeed _bodies;
    private readonly RequestedStates _states;
    private readonly ILink _link;
    private long _heartbeatNs;
    private bool _isHeld;

    public NodeConnection(SessionServices services, ConnectionTable table, ILink link)
    {
        _services = services;
        _table = table;
        _link = link;
        Peer = link.Peer;
        Node = new NodeId(link.Peer.NodeIdHigh, link.Peer.NodeIdLow);
        _sender = new ConnectionSender(services, link, () => table.CloseSlowest(this));
        _calls = new ConnectionCalls(services, this);
        _events = new EventFeed(services, this, _calls.Share, () => _calls.Caller, _sender.Pump);
        _bodies = new BodyFeed(services.Values, _sender.Pump);
        _catchUp = new NodeCatchUp(services, this, _sender.Pump);
        _pastStates = new PastStateFeed(services, _calls.Share, end => Send(end), _sender.Pump);
        _states = new RequestedStates(_calls.Share, ViewOf, () => new StateVector(_catchUp.Topics()), _sender.Pump);
        _sender.Feed(_states, _calls, _events, _bodies, _catchUp.Feed, _pastStates);
        _sender.OnOverflow = () => Close("it does not read what it is sent", RemovalCause.Failed);
        LastHeardNs = services.Context.Core.NowNs;
        link.Handler = this;
    }

    public NodeId Node { get; }

    public LinkPeer Peer { get; }

    /// <summary>The current state.</summary>
    public ConnectionState State { get; private set; } = new ConnectionState.Connected();

    /// <summary>Who its shares are counted for.</summary>
    public ShareOwner Owner => _calls.Share.Owner;

    /// <summary>The time at which the last frame from the node arrived, or at which frames of it were let wait.</summary>
    public long LastHeardNs { get; private set; }

    public bool IsClosed => State is ConnectionState.Closed;

    /// <summary>Bytes of messages that the link has not taken yet.</summary>
    public long WaitingBytes => _sender.WaitingBytes;

    /// <inheritdoc cref="ConnectionCalls.AnswersWaiting"/>
    public int AnswersWaiting => _calls.AnswersWaiting;

    /// <summary>The time since which the link has taken none of the waiting data; the current time when nothing waits.</summary>
    public long StalledSinceNs => _sender.StalledSinceNs();

    /// <inheritdoc/>
    public string Name => State is ConnectionState.Waiting { Record: { } record } ? record.Name : Peer.Name;

    /// <inheritdoc/>
    public string TokenId => Peer.TokenId;

    /// <inheritdoc/>
    public bool KnowsParts { get; private set; }

    /// <inheritdoc/>
    public bool KnowsCaching { get; private set; }

    /// <inheritdoc/>
    public bool KnowsShortForms { get; private set; }

    /// <inheritdoc/>
    public bool KnowsGathering { get; private set; }

    /// <inheritdoc/>
    public RepairReport Repairs { get; private set; } = RepairReport.None;

    /// <summary>Whether the node may be told where the hosts of the cluster are.</summary>
    public bool KnowsHosts { get; private set; }

    /// <inheritdoc/>
    public RegionMember? Place => State is ConnectionState.Leaf ? null : (State as ConnectionState.Seated)?.Place;

    /// <inheritdoc/>
    public RingSuspicion Suspicion { get; } = new();

    /// <summary>The time between its last two heartbeats: it sends fewer while answers are late.</summary>
    public long HeartbeatGapNs { get; private set; }

    /// <inheritdoc/>
    public MemberFrontierRows? Rows => (State as ConnectionState.Member)?.Rows;

    /// <summary>Takes the frames that wait, if its share allows it now; they may use it up again. False to wait longer.</summary>
    public bool TryGoOn()
    {
        // It is the host that does not listen, and no silence of the node.
        LastHeardNs = _services.Context.Core.NowNs;
        if (!_calls.Share.MayTakeFrames(isNew: false))
        {
            return false;
        }

        _isHeld = false;
        _link.GoOn();
        return true;
    }

    /// <summary>Counts that something was refused, and tells it once in a while: whoever sends much must not fill the log.</summary>
    public void OnRefused(string what)
    {
        _services.Counters.ControlRefused++;
        _calls.Share.Tell(what);
    }

    /// <summary>Takes core time for what a frame turned out to cost.</summary>
    public void TakeForFrame(long costNs) => _calls.Share.TakeForFrame(costNs);

    /// <inheritdoc/>
    public void OnWritable() => _sender.OnWritable();

    /// <inheritdoc/>
    public void OnClosed(string reason)
    {
        if (!IsClosed)
        {
            End(reason, RemovalCause.Failed, isLinkGone: true);
        }
    }

    /// <inheritdoc/>
    public void Send<T>(T message)
        where T : class, IMessage<T> => _sender.Send(message);

    /// <inheritdoc/>
    public void Send(MessageType type, byte[] body) => _sender.Send(type, body);

    /// <summary>Sends urgent messages and gives bulk a turn.</summary>
    public void Pump() => _sender.Pump();

    /// <summary>Called a few times per second.</summary>
    public void OnTick()
    {
        _states.OnTick();
        _calls.OnTick();
    }

    public void Close(string reason, RemovalCause cause)
    {
        if (!IsClosed)
        {
            End(reason, cause, isLinkGone: false);
        }
    }

    /// <inheritdoc cref="ConnectionCalls.EndUnentitledWaits"/>
    public void EndUnentitledWaits()
    {
        _calls.EndUnentitledWaits();
        _events.EndUnentitled();
    }

    /// <summary>Called on admission: the node now waits for its region's answer.</summary>
    public void Enter(ConnectionState.Entering entering, ulong incarnation, ServedRegion region)
    {
        Join join = entering.Join;
        string name = join.Name.Length > 0 ? join.Name : Node.ToString();
        var record = new MemberRecord(Node, incarnation, name, join.Zone, Peer.Application, join.Labels, Peer.TokenId);
        State = new ConnectionState.Waiting(entering, record, region);
        region.Join(this);
    }

    /// <summary>Refuses the node's join, and closes.</summary>
    public void Refuse(Refusal refusal)
    {
        Send(new JoinRefused(refusal.Code, refusal.Text));
        _services.Counters.JoinsRefused++;
        _services.Events.Post(GmsEventKind.JoinRefused, Node.ToString(), refusal.Text);
        Close(refusal.Text, RemovalCause.Failed);
    }

    /// <inheritdoc/>
    public RegionMember TakePlace(uint slot)
    {
        var waiting = (ConnectionState.Waiting)State;
        Join join = waiting.Join;
        var place = new RegionMember(slot, Node, waiting.Record.Incarnation, join.DataAddress, join.ControlAddress);
        State = State is ConnectionState.Leaf leaf
            ? new ConnectionState.Member(leaf.Previous with { Place = place }, leaf.Rows)
            : new ConnectionState.Seated(waiting, place);
        return place;
    }

    /// <inheritdoc/>
    public void Accept(ServedRegion region, ulong firstSequence, byte[] memberKey)
    {
        if (State is not ConnectionState.Seated seated)
        {
            // Closed while earlier joiners were answered; the region already knows.
            return;
        }

        TopicState[] topics = _catchUp.Topics();
        HostAddress host = _services.Address;
        IReadOnlyList<ReadOnlyMemory<byte>> signers = _services.Context.Signer.CertificatesFor(SignersOf(topics));
        foreach (ReadOnlyMemory<byte> signer in signers.Skip(1))
        {
            Send(new SignerCertificate(signer));
        }

        var accepted = new JoinAccepted(
            seated.Record.Incarnation,
            host.Incarnation,
            host.Data,
            host.Control,
            seated.Place.Slot,
            region.View,
            region.KeyEpoch,
            region.Key,
            memberKey,
            firstSequence,
            topics,
            [new SignerCertificate(signers[0])],
            (uint)(_services.Context.Options.HeartbeatNs / 1_000_000),
            (ushort)region.DatagramBytes);
        if (!MessageCodec.TryEncode(accepted, out byte[]? body))
        {
            Close("what it must be told of its region does not fit a frame; the host needs smaller regions", RemovalCause.Failed);
            return;
        }

        Send(JoinAccepted.Type, body);
        if (IsClosed)
        {
            // The answer did not fit the outbox, which closed the connection: it must not become a member that is never removed.
            return;
        }

        if (seated is ConnectionState.Member)
        {
            // A leaf that returns: it has its rows, its waits, and what it was brought so far.
            return;
        }

        State = _table.OnAccepted(seated);
        if (KnowsHosts && _table.Hosts is { } hosts)
        {
            Send(hosts);
        }

        _catchUp.Begin(topics, seated.Join.Held);
    }

    private IEnumerable<ulong> SignersOf(TopicState[] topics) =>
        topics.Select(t => _services.Applications.Find(t.Topic)?.CommittedSignature?.SignerId).OfType<ulong>();

    private void End(string reason, RemovalCause cause, bool isLinkGone)
    {
        ConnectionState last = State;
        State = new ConnectionState.Closed();
        _calls.OnClosed();
        _sender.Close(reason, isLinkGone);
        _events.Close(maySoonReturn: cause is not (RemovalCause.Left or RemovalCause.Expelled));
        _bodies.Close();
        _catchUp.Feed.Close();
        _pastStates.Close();
        _table.OnClosed(this, last, cause, reason);
    }
}
