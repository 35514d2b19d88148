using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;

namespace Ripple.Engine.Nodes;

/// <summary>A node's connection to a host: connecting, joining, heartbeats, and reconnecting with jitter. Core thread.</summary>
internal sealed partial class NodeSession : ILinkHandler, ILinkConnectResult, IDisposable
{
    private const long SlowAttemptNs = 1_000_000_000;
    private readonly Node _node;
    private readonly CoreLoop _core;
    private readonly NodeOptions _options;
    private readonly NodeDependencies _dependencies;
    private readonly Alarm _reconnect;
    private readonly Alarm _joinTimeout;
    private readonly Alarm _heartbeat;
    private readonly HostTurns _hosts;
    private ILinkConnectAttempt? _attempt;
    private long _attemptNs;
    private ILink? _link;
    private bool _isJoined;
    private bool _isDisposed;
    private long _reconnectNs;
    private int _failures;
    private int _tries;
    private uint _slotEpoch;
    private ulong _hostIncarnation;

    public NodeSession(Node node, CoreLoop core, NodeOptions options, NodeDependencies dependencies)
    {
        _node = node;
        _core = core;
        _options = options;
        _dependencies = dependencies;
        _hosts = new HostTurns(dependencies.Endpoints, dependencies.ToldEndpoints);
        _reconnectNs = options.ReconnectNsMin;
        _reconnect = new Alarm(Connect);
        _joinTimeout = new Alarm(() =>
        {
            _hosts.LeaveOut(_core.NowNs);
            _hosts.Advance();
            Restart("the host did not answer the join in time");
        });
        _heartbeat = new Alarm(OnHeartbeat);
        _slotEpoch = node.Applications.Select(r => r.Received.Proof?.Signed.SlotEpoch ?? 0).DefaultIfEmpty().Max();
    }

    /// <summary>The connection, once the host accepted the join.</summary>
    public ILink? JoinedLink => _isJoined ? _link : null;

    public void Start() => _core.ScheduleIn(_reconnect, 0);

    /// <summary>Drops the connection and starts over.</summary>
    public void Restart(string reason)
    {
        ILink? link = _link;
        Drop(reason, isRefusal: false);
        link?.Close(reason);
    }

    public void Leave(string reason)
    {
        if (_link is { } link)
        {
            link.TrySend(new Leave(reason));
            Drop(reason, isRefusal: false);
            _core.Alarms.Cancel(_reconnect);
            link.Close(reason);
        }
    }

    public void AskForVector() => JoinedLink?.TrySend(new StateVectorRequest());

    public void OnConnected(ILink link)
    {
        _attempt = null;
        _link = link;
        link.Handler = this;
        var join = new Join(
            Join.CurrentVersion,
            _options.Zone,
            _options.Name,
            [.. _options.Labels],
            [.. _options.Interest],
            _dependencies.DataPort.LocalAddress,
            _dependencies.ControlPort.LocalAddress,
            [.. _node.Applications.Select(r => r.Received.Keys).Select(k => new HeldState(k.Application, k.Generation, k.Release, k.Id))],
            _slotEpoch,
            _hostIncarnation);
        if (!link.TrySend(join))
        {
            Restart("the connection did not take the join");
            return;
        }

        _core.ScheduleIn(_joinTimeout, _options.JoinTimeoutNs);
    }

    public void OnConnectFailed(LinkConnectFailure failure, string text, string? leader)
    {
        _attempt = null;
        // Who answered does not hang, however long it took: it may be about to lead.
        if (failure == LinkConnectFailure.Unreachable && _core.NowNs - _attemptNs > SlowAttemptNs)
        {
            _hosts.LeaveOut(_core.NowNs);
        }

        string asked = _hosts.Current;
        if (_hosts.TryFollow(leader, _core.NowNs))
        {
            // It is sent on, and not turned away. Who is about to lead needs a moment; and where the host of all is gone, those who wait
            // for an answer come first.
            bool isLater = _slotEpoch > 0 && !_dependencies.Handler.HasCalls;
            long spreadNs = isLater ? _options.ReturnSpreadNs : leader == asked ? _options.ReconnectNsMin : 1;
            _core.ScheduleIn(_reconnect, _core.Random.NextInt64(spreadNs));
            return;
        }

        _hosts.Advance();
        _node.OnDisconnected(text, failure is LinkConnectFailure.Refused or LinkConnectFailure.Untrusted);
        NoteFailure();
        ScheduleReconnect();
    }

    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        bool isTaken;
        switch ((MessageType)type)
        {
            case MessageType.JoinAccepted when !_isJoined || _node.IsLeaf:
                isTaken = MessageCodec.TryRead(body, out JoinAccepted? accepted) == Wire.DecodeStatus.Ok
                    && accepted!.DatagramBytes is >= Wire.WireLimits.DatagramBytesMin and <= Wire.WireLimits.DatagramBytesMax;
                if (isTaken && _isJoined)
                {
                    OnReturned(accepted!);
                }
                else if (isTaken)
                {
                    OnAccepted(accepted!);
                }

                break;
            case MessageType.JoinRefused:
                isTaken = MessageCodec.TryRead(body, out JoinRefused? refused) == Wire.DecodeStatus.Ok;
                if (isTaken)
                {
                    OnRefused(refused!);
                }

                break;
            case MessageType.ClusterHosts when _isJoined:
                isTaken = MessageCodec.TryRead(body, out ClusterHosts? hosts) == Wire.DecodeStatus.Ok;
                if (isTaken)
                {
                    _hosts.Learn(hosts!.Endpoints);
                    _dependencies.Handler.OnHosts(hosts.Endpoints);
                }

                break;
            case MessageType.HeartbeatReply:
                isTaken = MessageCodec.TryRead(body, out HeartbeatReply? reply) == Wire.DecodeStatus.Ok;
                if (isTaken)
                {
                    OnReply(reply!);
                }

                break;
            case MessageType.Goodbye:
                isTaken = true;
                _hosts.Advance();
                Restart("the host stops");
                break;
            default:
                isTaken = (_isJoined || (MessageType)type == MessageType.SignerCertificate) && _node.TryTake((MessageType)type, body);
                break;
        }

        if (!isTaken && _link is not null)
        {
            _node.Counters.ControlRefused++;
            Restart("the host sent a control frame that is malformed or not known");
        }
    }

    public void OnWritable() => _node.OnWritable();

    public void OnClosed(string reason) => Drop(reason, isRefusal: false);

    public void Dispose()
    {
        _isDisposed = true;
        _core.Alarms.Cancel(_reconnect);
        _core.Alarms.Cancel(_joinTimeout);
        _core.Alarms.Cancel(_heartbeat);
        _attempt?.Cancel();
        ILink? link = _link;
        _link = null;
        _isJoined = false;
        link?.Close("the node stopped");
    }

    private void Connect()
    {
        string host = _hosts.Next(_core.NowNs);
        _attemptNs = _core.NowNs;
        _attempt = _dependencies.Connector.Connect(host, this);
    }

    private void Drop(string reason, bool isRefusal)
    {
        if (_isDisposed)
        {
            return;
        }

        _link = null;
        _isJoined = false;
        _core.Alarms.Cancel(_joinTimeout);
        _core.Alarms.Cancel(_heartbeat);
        _node.OnDisconnected(reason, isRefusal);
        ScheduleReconnect();
    }

    private void ScheduleReconnect()
    {
        if (_isDisposed)
        {
            return;
        }

        // Of several hosts one leads, a few seconds after another died, and the others refuse at once: all are asked in a row, and the
        // pause comes behind the last.
        bool hasOthers = _hosts.Count > 1;
        bool isWithinRound = hasOthers && ++_tries % _hosts.Count != 0;
        long pauseNs = isWithinRound ? _options.ReconnectNsMin / 2 : _reconnectNs;
        // Jitter, so that nodes do not all reconnect to a restarted host at the same time.
        _core.ScheduleIn(_reconnect, (pauseNs / 2) + _core.Random.NextInt64(pauseNs));
        if (!isWithinRound)
        {
            _reconnectNs = Math.Min(_reconnectNs * 2, hasOthers ? _options.ReconnectAmongNsMax : _options.ReconnectNsMax);
        }
    }

    private void OnAccepted(JoinAccepted accepted)
    {
        _core.Alarms.Cancel(_joinTimeout);
        _isJoined = true;
        _hosts.Settle();
        _reconnectNs = _options.ReconnectNsMin;
        _tries = 0;
        OnEpoch(accepted.View.Number.SlotEpoch, accepted.HostIncarnation);
        _failures = 0;
        BeginHeartbeats(accepted);
        var self = new LinkPeer { Kind = LinkPeerKind.Node, Application = _options.Application, Name = _options.Name };
        _node.OnJoined(self, accepted);
        _contiguousAsked = _node.Region?.Receiver.Contiguous ?? 0;
    }

    /// <summary>The host gives a leaf another seat, on the connection that it has.</summary>
    private void OnReturned(JoinAccepted accepted)
    {
        OnEpoch(accepted.View.Number.SlotEpoch, accepted.HostIncarnation);
        _node.OnReturned(accepted);
        _contiguousAsked = _node.Region?.Receiver.Contiguous ?? 0;
    }

    /// <summary>Remembers the highest epoch and who gave it: that host need not exceed it when this node joins it again.</summary>
    private void OnEpoch(uint slotEpoch, ulong hostIncarnation)
    {
        if (slotEpoch >= _slotEpoch)
        {
            _slotEpoch = slotEpoch;
            _hostIncarnation = hostIncarnation;
        }
    }

    private void OnRefused(JoinRefused refused)
    {
        ILink? link = _link;
        // Another may let it in: this one may not lead any more.
        _hosts.Advance();
        Drop($"{refused.Code}: {refused.Text}", refused.Code is not ErrorCode.Busy);
        NoteFailure();
        link?.Close("refused");
    }

    /// <summary>There may be no host: once each endpoint was tried, replicas no longer wait for one.</summary>
    private void NoteFailure()
    {
        if (++_failures >= _hosts.Count)
        {
            _node.OnHostHeard();
        }
    }
}
