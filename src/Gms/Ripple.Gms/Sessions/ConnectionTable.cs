using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Sessions;

/// <summary>The control connections of a host, and the nodes admitted through them. Core thread.</summary>
internal sealed class ConnectionTable
{
    /// <summary>A link that takes none of its waiting data for this long is closed: the data holds memory that others wait for.</summary>
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

    /// <summary>Accepts a connection; closes it immediately at the session limit or during a stop.</summary>
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

    /// <summary>Closes silent and stalled connections. Called a few times per second.</summary>
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

    /// <summary>The most pages of answers that wait for one connection, for checkers.</summary>
    public int PagesWaitingMax => _all.Select(c => c.PagesWaiting).DefaultIfEmpty().Max();

    /// <summary>Closes connections whose tokens are no longer good.</summary>
    public void CheckTokens() => _tokens.Check(_all);

    /// <summary>Null if the node may join, else the refusal.</summary>
    public Refusal? Refuse(NodeConnection connection, Join join) => _admission.Refuse(connection.Peer, join);

    /// <summary>Admits a node into its region's next view, once this host's epoch is above every one the node has seen.</summary>
    public void Admit(NodeConnection connection, ConnectionState.Entering entering)
    {
        if (connection.IsClosed)
        {
            // It was closed while the epoch was being written to disk.
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

    /// <summary>Turns a node that was told of its admission into a member.</summary>
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

    /// <summary>Removes a closed connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="last">Its last state before closing.</param>
    /// <param name="cause">The cause.</param>
    /// <param name="reason">The cause in words.</param>
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

    /// <summary>The number of nodes that currently receive each application's releases.</summary>
    public IReadOnlyDictionary<string, int> MemberCounts()
    {
        var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string application in Members().SelectMany(m => m.Identity.Interest))
        {
            counts[application] = counts.GetValueOrDefault(application) + 1;
        }

        return counts;
    }

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
