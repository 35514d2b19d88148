using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Sessions;

/// <summary>The control connections of a host, and the nodes admitted through them. Core thread.</summary>
internal sealed class ConnectionTable : IDisposable
{
    /// <summary>How often <see cref="OnTick"/> is to be called, in nanoseconds.</summary>
    public const long TickNs = 250_000_000;

    /// <summary>A link that takes none of its waiting data for this long is closed: the data holds memory that others wait for.</summary>
    private const long SendStallTimeoutNs = 30_000_000_000;

    /// <summary>From so many heartbeats without a frame on, a member is overdue.</summary>
    private const double OverdueHeartbeats = 1.5;

    /// <summary>
    /// After so many heartbeats without a frame a member that its ring accuses is removed: one that stood still for a second between two
    /// heartbeats has been heard again by then.
    /// </summary>
    private const double AccusedHeartbeats = 2.25;

    private readonly SessionServices _services;
    private readonly CoreLoop _core;
    private readonly GmsOptions _options;
    private readonly Admission _admission;
    private readonly TokenWatch _tokens;
    private readonly List<NodeConnection> _all = [];
    private readonly SortedDictionary<NodeId, NodeConnection> _joined = [];
    // By application: those of applications that had a member, and there is a limit for applications.
    private readonly SortedDictionary<string, int> _memberCounts = new(StringComparer.Ordinal);
    private readonly ShareLedger _shares;
    private readonly HeldConnections _held;
    private readonly LocalHealth _health;
    private bool _isStopping;

    public ConnectionTable(SessionServices services)
    {
        _services = services;
        _core = services.Context.Core;
        _options = services.Context.Options;
        _admission = new Admission(services);
        _tokens = new TokenWatch(services);
        _shares = new ShareLedger(_options.SessionsMax, _options.EffectiveSessionsPerTokenMax);
        _held = new HeldConnections(_core);
        _health = new LocalHealth(TickNs, (_options.HeartbeatsMissedMax + 1) * _options.HeartbeatNs);
    }

    /// <summary>Accepts a connection; closes it immediately at the session limit or during a stop.</summary>
    public void OnLink(ILink link)
    {
        ShareOwner owner = _services.Tokens.OwnerOf(link.Peer.TokenId);
        string? refused = _isStopping ? "the host stops" : _shares.Judge(owner, 1) switch
        {
            ShareBound.All => "the host has as many sessions as it may",
            ShareBound.Token => "the host has as many sessions with this token as it may",
            ShareBound.Application => $"the host has as many sessions with tokens of '{owner.Application}' as it may",
            _ => null,
        };
        if (refused is not null)
        {
            link.Close(refused);
            return;
        }

        _shares.Add(owner, 1);
        var connection = new NodeConnection(_services, this, link);
        _all.Add(connection);
        _tokens.OnConnected(connection);
        _services.Counters.Sessions = _all.Count;
    }

    /// <summary>Closes silent and stalled connections.</summary>
    public void OnTick()
    {
        long silentSinceNs = _core.NowNs - ((_options.HeartbeatsMissedMax + 1) * _options.HeartbeatNs);
        foreach (NodeConnection connection in _all.Where(c => c.LastHeardNs < silentSinceNs).ToArray())
        {
            connection.Close(
                string.Create(CultureInfo.InvariantCulture, $"{_options.HeartbeatsMissedMax} heartbeats were missed"), RemovalCause.Failed);
        }

        CloseAccused();
        foreach (NodeConnection connection in _all.ToArray())
        {
            connection.OnTick();
        }

        long stalledSinceNs = _core.NowNs - SendStallTimeoutNs;
        foreach (NodeConnection connection in _all.Where(c => c.StalledSinceNs < stalledSinceNs).ToArray())
        {
            connection.Close("it does not read what it is sent", RemovalCause.Failed);
        }
    }

    /// <summary>
    /// Closes connections of members that neither their ring nor this host hears: sooner than one of them alone would be believed.
    /// </summary>
    private void CloseAccused()
    {
        int members = _all.Count(c => c.State is ConnectionState.Member);
        int overdue = _all.Count(c => c.State is ConnectionState.Member && SilentNs(c) > OverdueHeartbeats * HeartbeatNs(c));
        if (!_health.Look(_core.NowNs, overdue, members) || overdue == 0)
        {
            return;
        }

        foreach (NodeConnection connection in _all
            .Where(c => SilentNs(c) > AccusedHeartbeats * HeartbeatNs(c) && c.Suspicion.IsAccused(_core.NowNs)).ToArray())
        {
            _services.Counters.FailuresByRing++;
            connection.Close("neither its ring nor the host hears it", RemovalCause.Failed);
        }

        long SilentNs(NodeConnection connection) => _core.NowNs - connection.LastHeardNs;

        long HeartbeatNs(NodeConnection connection) => Math.Max(_options.HeartbeatNs, connection.HeartbeatGapNs);
    }

    /// <summary>Lets the frames of a connection wait until it, its token and its application may send again.</summary>
    public void Hold(NodeConnection connection) => _held.Add(connection);

    /// <summary>The most answers of calls that wait for one connection, for checkers.</summary>
    public int AnswersWaitingMax => _all.Select(c => c.AnswersWaiting).DefaultIfEmpty().Max();

    /// <summary>Tells every member of a signer that will sign. Who joins later is told at the join.</summary>
    public void OnSigner(ReadOnlyMemory<byte> certificate)
    {
        foreach (NodeConnection connection in _all.Where(c => c.State is ConnectionState.Member).ToArray())
        {
            connection.Send(new SignerCertificate(certificate));
        }
    }

    /// <summary>Closes connections whose tokens are no longer good.</summary>
    public void CheckTokens() => _tokens.Check(_all);

    /// <summary>Null if the node may join, else the refusal.</summary>
    public Refusal? Refuse(NodeConnection connection, Join join) => _admission.Refuse(connection.Peer, join);

    /// <summary>Admits a node to its region, once this host's epoch is above every one the node has seen.</summary>
    public void Admit(NodeConnection connection, ConnectionState.Entering entering)
    {
        if (!_admission.MustRaiseEpoch(connection, entering.Join))
        {
            Enter(connection, entering);
        }
        else if (!_services.Context.Epoch.TryExceed(entering.Join.SlotEpoch, isProved: false, () => Enter(connection, entering)))
        {
            _services.Events.OnEpochNotRaised();
        }
    }

    /// <summary>Turns a node that was told of its admission into a member.</summary>
    public ConnectionState.Member OnAccepted(ConnectionState.Seated seated)
    {
        _services.Counters.Joins++;
        _services.Counters.Members++;
        CountMember(seated.Identity.Interest, 1);
        MemberRecord record = seated.Record;
        var rows = new MemberFrontierRows(
            _services.Frontiers,
            _services.Counters,
            _services.Events,
            record,
            _services.Applications.Of(seated.Identity.Interest).Select(_services.Frontiers.Of));
        string detail = string.Create(
            CultureInfo.InvariantCulture, $"incarnation {record.Incarnation}, application {record.Application}, zone {record.Zone}");
        _services.Events.Post(GmsEventKind.Joined, record.Name, detail);
        return new ConnectionState.Member(seated, rows);
    }

    /// <summary>Removes a closed connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="last">Its last state before closing.</param>
    /// <param name="cause">The cause.</param>
    /// <param name="reason">The cause in words.</param>
    public void OnClosed(NodeConnection connection, ConnectionState last, RemovalCause cause, string reason)
    {
        _all.Remove(connection);
        _shares.Add(connection.Owner, -1);
        _tokens.OnClosed(connection);
        _services.Counters.Sessions = _all.Count;
        if (last is not ConnectionState.Waiting waiting)
        {
            return;
        }

        if (_joined.TryGetValue(connection.Node, out NodeConnection? current) && ReferenceEquals(current, connection))
        {
            _joined.Remove(connection.Node);
        }

        waiting.Region.Remove(connection, (waiting as ConnectionState.Seated)?.Place, cause);
        if (waiting is ConnectionState.Member member)
        {
            OnRemoved(member, cause, reason);
        }
    }

    /// <summary>
    /// Called when the budget has no room for waiting messages: closes the connection with the most. False if that is the asking one.
    /// </summary>
    public bool CloseSlowest(NodeConnection asking)
    {
        NodeConnection slowest = asking;
        foreach (NodeConnection connection in _all)
        {
            slowest = connection.WaitingBytes > slowest.WaitingBytes ? connection : slowest;
        }

        if (ReferenceEquals(slowest, asking))
        {
            return false;
        }

        slowest.Close("it reads more slowly than it is sent, and the host has no room for more", RemovalCause.Failed);
        return true;
    }

    /// <summary>The nodes that currently receive an application's releases, by id.</summary>
    public IEnumerable<MemberRecord> MembersOf(string application) =>
        Members().Where(m => m.Identity.Interest.Contains(application)).Select(m => m.Record);

    /// <summary>The number of nodes that currently receive an application's releases.</summary>
    public int MemberCountOf(string application) => _memberCounts.GetValueOrDefault(application);

    /// <summary>Says goodbye to all connections and accepts no more.</summary>
    public void Stop(string reason)
    {
        _isStopping = true;
        foreach (NodeConnection connection in _all.ToArray())
        {
            connection.Send(new Goodbye(reason));
            connection.Close(reason, RemovalCause.Left);
        }
    }

    /// <summary>Closes all remaining connections.</summary>
    public void Dispose()
    {
        _isStopping = true;
        _held.Dispose();
        foreach (NodeConnection connection in _all.ToArray())
        {
            connection.Close("the host stopped", RemovalCause.Left);
        }
    }

    /// <summary>Gives the node numbers of this host's epoch.</summary>
    private void Enter(NodeConnection connection, ConnectionState.Entering entering)
    {
        if (connection.IsClosed)
        {
            // It was closed while the epoch was being written to disk.
            return;
        }

        if (_joined.TryGetValue(connection.Node, out NodeConnection? previous))
        {
            previous.Close("the node joined again", RemovalCause.Replaced);
        }

        if (_services.Regions.TryFor(entering.Identity, connection.Owner, out Refusal? refusal) is not { } region)
        {
            connection.Refuse(refusal!);
            return;
        }

        ulong incarnation = _services.Context.Epoch.NextIncarnation();
        _joined[connection.Node] = connection;
        connection.Enter(entering, incarnation, region);
    }

    private IEnumerable<ConnectionState.Member> Members() => _joined.Values.Select(c => c.State).OfType<ConnectionState.Member>();

    private void CountMember(IEnumerable<string> interest, int change)
    {
        foreach (string application in interest)
        {
            _memberCounts[application] = _memberCounts.GetValueOrDefault(application) + change;
        }
    }

    private void OnRemoved(ConnectionState.Member member, RemovalCause cause, string reason)
    {
        _services.Counters.Members--;
        CountMember(member.Identity.Interest, -1);
        _services.Counters.Failures += cause == RemovalCause.Failed ? 1 : 0;
        _services.Counters.Expulsions += cause == RemovalCause.Expelled ? 1 : 0;
        member.Rows.OnRemoved(cause);
        GmsEventKind kind = cause switch
        {
            RemovalCause.Failed => GmsEventKind.Failed,
            RemovalCause.Expelled => GmsEventKind.Expelled,
            _ => GmsEventKind.Left,
        };
        _services.Events.Post(kind, member.Record.Name, reason, member.Record.Node, member.Record.Application);
    }
}

/// <summary>
/// The connections whose frames wait because they, their token or their application sent more than their share. They take turns: who may go
/// on goes on until the share is used up again, and then stands behind the others. Core thread.
/// </summary>
internal sealed class HeldConnections : IDisposable
{
    /// <summary>The time between turns: short beside what anybody notices, long beside what a turn costs.</summary>
    private const long TurnNs = 10_000_000;

    /// <summary>The most connections looked at in a turn.</summary>
    private const int PerTurnMax = 1_024;

    private readonly CoreLoop _core;
    private readonly Alarm _turn;

    // At most one place for each connection: only one that is not held is added.
    private readonly Queue<NodeConnection> _held = [];

    public HeldConnections(CoreLoop core)
    {
        _core = core;
        _turn = new Alarm(OnTurn);
    }

    /// <summary>Adds a connection that was just held.</summary>
    public void Add(NodeConnection connection)
    {
        _held.Enqueue(connection);
        if (_held.Count == 1)
        {
            _core.ScheduleIn(_turn, TurnNs);
        }
    }

    /// <summary>Ends the turns.</summary>
    public void Dispose()
    {
        _core.Alarms.Cancel(_turn);
        _held.Clear();
    }

    private void OnTurn()
    {
        // The turn is over after a round: who is held again meanwhile is behind it.
        _core.ScheduleIn(_turn, TurnNs);
        for (int count = Math.Min(_held.Count, PerTurnMax); count > 0; count--)
        {
            NodeConnection connection = _held.Dequeue();
            if (!connection.IsClosed && !connection.TryGoOn())
            {
                _held.Enqueue(connection);
            }
        }

        if (_held.Count == 0)
        {
            _core.Alarms.Cancel(_turn);
        }
    }
}
