using System.Globalization;
using System.Text;
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
    private readonly FailureDetector _failures;
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
        _failures = new FailureDetector(_core, _options, _services.Counters, TickNs);
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

    /// <inheritdoc cref="FailureDetector.IsHeard"/>
    public bool IsHeard(NodeConnection connection) => _failures.IsHeard(connection);

    /// <summary>Closes silent and stalled connections.</summary>
    public void OnTick()
    {
        _failures.Look(_all);
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

    /// <summary>Lets the frames of a connection wait until it, its token and its application may send again.</summary>
    public void Hold(NodeConnection connection) => _held.Add(connection);

    /// <summary>The most answers of calls that wait for one connection, for checkers.</summary>
    public int AnswersWaitingMax => _all.Select(c => c.AnswersWaiting).DefaultIfEmpty().Max();

    /// <summary>What nodes are told of where the hosts are; null for a host that is alone.</summary>
    public ClusterHosts? Hosts { get; private set; }

    /// <summary>
    /// Tells every member where the hosts of the cluster are, if they are others than before. Who joins later is told at the join.
    /// </summary>
    /// <param name="endpoints">The endpoints, this host's first. What is too much or too long to be told is left out.</param>
    public void TellHosts(IReadOnlyList<string> endpoints)
    {
        var hosts = new ClusterHosts(
            [.. endpoints.Where(e => Encoding.UTF8.GetByteCount(e) <= ClusterHosts.EndpointBytesMax).Take(ClusterHosts.EndpointsMax)]);
        if (Hosts is { } before && before.Endpoints.SequenceEqual(hosts.Endpoints))
        {
            return;
        }

        Hosts = hosts;
        foreach (NodeConnection connection in _all.Where(c => c.KnowsHosts && c.State is ConnectionState.Member).ToArray())
        {
            connection.Send(hosts);
        }
    }

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
        Members().Where(m => m.Identity.Takes(application)).Select(m => m.Record);

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
