using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Sessions;

/// <summary>The control connections of a host, and which nodes are in by them. Core thread.</summary>
internal sealed class ConnectionTable
{
    /// <summary>A link that took nothing of what waits for it for so long is closed: what waits is memory that others wait for.</summary>
    private const long SendStallTimeoutNs = 30_000_000_000;

    private readonly SessionServices _services;
    private readonly CoreLoop _core;
    private readonly GmsOptions _options;
    private readonly Admission _admission;
    private readonly TokenWatch _tokens;
    private readonly List<NodeConnection> _all = [];
    private readonly SortedDictionary<NodeId, NodeConnection> _in = [];
    private bool _isStopping;

    public ConnectionTable(SessionServices services)
    {
        _services = services;
        _core = services.Context.Core;
        _options = services.Context.Options;
        _admission = new Admission(services);
        _tokens = new TokenWatch(services);
    }

    /// <summary>A node connected; it is closed at once when there are as many as may be.</summary>
    public void OnLink(ILink link)
    {
        if (_isStopping || _all.Count >= _options.SessionsMax)
        {
            link.Close(_isStopping ? "the host stops" : "the host has as many sessions as it may");
            return;
        }

        var connection = new NodeConnection(_services, this, link);
        _all.Add(connection);
        _tokens.OnConnected(connection);
        _services.Counters.Sessions = _all.Count;
    }

    /// <summary>Looks after connections: silent ones, stalled ones, and those whose token is no longer good. Some times a second.</summary>
    public void OnTick()
    {
        long silentSinceNs = _core.NowNs - ((_options.HeartbeatsMissedMax + 1) * _options.HeartbeatNs);
        foreach (NodeConnection connection in _all.Where(c => c.LastHeardNs < silentSinceNs).ToArray())
        {
            connection.Close(
                string.Create(CultureInfo.InvariantCulture, $"{_options.HeartbeatsMissedMax} heartbeats were missed"), RemovalCause.Failed);
        }

        long stalledSinceNs = _core.NowNs - SendStallTimeoutNs;
        foreach (NodeConnection connection in _all.Where(c => c.StalledSinceNs < stalledSinceNs).ToArray())
        {
            connection.Close("it does not read what it is sent", RemovalCause.Failed);
        }
    }

    /// <summary>Closes the connections whose tokens are no longer good.</summary>
    public void CheckTokens() => _tokens.Check(_all);

    /// <summary>Null when the node may join, else why not.</summary>
    public Refusal? Refuse(NodeConnection connection, Join join) => _admission.Refuse(connection.Peer, join);

    /// <summary>
    /// Lets a node in: into its region's next view, once it has an incarnation and this host's epoch is above all the node has seen.
    /// </summary>
    public void Admit(NodeConnection connection, ConnectionState.Entering entering)
    {
        if (connection.IsClosed)
        {
            // It went while the epoch was on its way to the disk.
            return;
        }

        if (_admission.MustRaiseEpoch(entering.Join))
        {
            if (!_services.Context.Epoch.TryRaise(entering.Join.SlotEpoch + 1, () => Admit(connection, entering)))
            {
                _services.Events.OnEpochNotRaised();
            }

            return;
        }

        if (_in.TryGetValue(connection.Node, out NodeConnection? previous))
        {
            previous.Close("the node joined again", RemovalCause.Replaced);
        }

        ulong incarnation = _services.Context.Epoch.NextIncarnation();
        _in[connection.Node] = connection;
        connection.Enter(entering, incarnation, _services.Regions.For(entering.Identity));
    }

    /// <summary>A node was told that it is in.</summary>
    public ConnectionState.Member OnAccepted(ConnectionState.Seated seated)
    {
        _services.Counters.Joins++;
        _services.Counters.Members++;
        MemberRecord record = seated.Record;
        var rows = new MemberRows(
            _services.Frontiers, record, _services.Applications.Of(seated.Identity.Interest).Select(_services.Frontiers.Of));
        string detail = string.Create(
            CultureInfo.InvariantCulture, $"incarnation {record.Incarnation}, application {record.Application}, zone {record.Zone}");
        _services.Events.Post(GmsEventKind.Joined, record.Name, detail);
        return new ConnectionState.Member(seated, rows);
    }

    /// <summary>A connection ended.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="last">How far it had come.</param>
    /// <param name="cause">Why it ended.</param>
    /// <param name="reason">Why, in words.</param>
    public void OnClosed(NodeConnection connection, ConnectionState last, RemovalCause cause, string reason)
    {
        _all.Remove(connection);
        _tokens.OnClosed(connection);
        _services.Counters.Sessions = _all.Count;
        if (last is not ConnectionState.Waiting waiting)
        {
            return;
        }

        if (_in.TryGetValue(connection.Node, out NodeConnection? current) && ReferenceEquals(current, connection))
        {
            _in.Remove(connection.Node);
        }

        waiting.Region.Remove(connection, (waiting as ConnectionState.Seated)?.Place, cause);
        if (waiting is ConnectionState.Member member)
        {
            OnRemoved(member, cause, reason);
        }
    }

    /// <summary>There is no room for what connections do not take: the one with most goes. False when that is the one that asks.</summary>
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

    /// <summary>The nodes that take releases of an application now, by id.</summary>
    public IEnumerable<MemberRecord> MembersOf(string application) =>
        Members().Where(m => m.Identity.Interest.Contains(application)).Select(m => m.Record);

    /// <summary>How many nodes take releases of each application now.</summary>
    public IReadOnlyDictionary<string, int> MemberCounts()
    {
        var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string application in Members().SelectMany(m => m.Identity.Interest))
        {
            counts[application] = counts.GetValueOrDefault(application) + 1;
        }

        return counts;
    }

    /// <summary>Says goodbye to all and takes no more.</summary>
    public void Stop(string reason)
    {
        _isStopping = true;
        foreach (NodeConnection connection in _all.ToArray())
        {
            connection.Send(new Goodbye(reason));
            connection.Close(reason, RemovalCause.Left);
        }
    }

    /// <summary>Closes what is left.</summary>
    public void CloseAll()
    {
        _isStopping = true;
        foreach (NodeConnection connection in _all.ToArray())
        {
            connection.Close("the host stopped", RemovalCause.Left);
        }
    }

    private IEnumerable<ConnectionState.Member> Members() => _in.Values.Select(c => c.State).OfType<ConnectionState.Member>();

    private void OnRemoved(ConnectionState.Member member, RemovalCause cause, string reason)
    {
        _services.Counters.Members--;
        _services.Counters.Failures += cause == RemovalCause.Failed ? 1 : 0;
        _services.Counters.Expulsions += cause == RemovalCause.Expelled ? 1 : 0;
        member.Rows.OnRemoved(cause);
        GmsEventKind kind = cause switch
        {
            RemovalCause.Failed => GmsEventKind.Failed,
            RemovalCause.Expelled => GmsEventKind.Expelled,
            _ => GmsEventKind.Left,
        };
        _services.Events.Post(kind, member.Record.Name, reason);
    }
}
