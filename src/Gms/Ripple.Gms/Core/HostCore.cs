using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Sessions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Core;

/// <summary>
/// One host: its applications, sessions and regions, on one core. Made on the core thread (or before it runs) from what the store holds after
/// <see cref="GmsStart"/> persisted this start's epoch. Core thread.
/// </summary>
public sealed partial class HostCore : ILinkAcceptor, IDatagramHandler, IPrimaryHandler, IServedRegionOwner, IDisposable
{
    private const long TickNs = 250_000_000;
    private const long EvaluateDelayNs = 10_000_000;
    private const long SendStallTimeoutNs = 30_000_000_000;
    private const ulong EpochLeapMax = 65_536;

    private readonly HostContext _context;
    private readonly HostPorts _ports;
    private readonly IKeySource _keys;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly SortedDictionary<string, ApplicationPrimary> _byName = new(StringComparer.Ordinal);
    private readonly SortedDictionary<uint, ApplicationPrimary> _byTopic = [];
    private readonly SortedDictionary<uint, PrimaryFrontier> _frontiers = [];
    private readonly SortedDictionary<ulong, ServedRegion> _regions = [];
    private readonly SortedDictionary<ulong, RegionSet> _interests = [];
    private readonly List<NodeConnection> _sessions = [];
    private readonly SortedDictionary<NodeId, NodeConnection> _joined = [];
    private readonly SortedSet<uint> _changedTopics = [];
    private readonly AccessTokenTable _tokens;
    private readonly Alarm _tick;
    private readonly Alarm _look;
    private long _tokensVersion;
    private bool _isReadingTokens;
    private uint _viewCounter;
    private uint _keyEpochFloor;
    private uint _incarnationCounter;
    private uint _lastTopic;
    private bool _isStopping;

    /// <summary>Adds what a host holds for its regions, connections and applications.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        ArgumentNullException.ThrowIfNull(budget);
        ArgumentNullException.ThrowIfNull(options);
        ServedRegion.AddMemory(budget);
        TransientBudget.AddMemory(budget, options);
        BodyServer.AddMemory(budget);
        SessionCalls.AddMemory(budget, options);
        ApplicationPrimary.AddMemory(budget, options);
        PrimaryFrontier.AddMemory(budget);
    }

    /// <summary>Makes a host.</summary>
    /// <param name="context">What its parts share.</param>
    /// <param name="state">What the store held at this start.</param>
    /// <param name="ports">Its datagram ports; it disposes of them.</param>
    /// <param name="keys">Where region keys come from.</param>
    /// <param name="events">Where events go.</param>
    public HostCore(HostContext context, HostState state, HostPorts ports, IKeySource keys, GmsEvents events)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(state);
        ArgumentNullException.ThrowIfNull(ports);
        _context = context;
        Passing = new TransientBudget(context.Options.PassingBytesMax);
        Values = new ValueCache(context, Passing);
        Bulk = new BulkScheduler(context.Core);
        _ports = ports;
        _keys = keys;
        Events = events;
        Incarnation = NextIncarnation();
        _dataSink = new PortSink(context.Core, ports.Data);
        _controlSink = new PortSink(context.Core, ports.Control);
        ports.Data.Handler = this;
        ports.Control.Handler = this;
        foreach (StoredApplication stored in state.Applications)
        {
            Add(stored);
        }

        _tokens = new AccessTokenTable(state.Tokens);
        _tokensVersion = state.TokensVersion;
        _tick = new Alarm(OnTick);
        _look = new Alarm(EvaluateWaits);
        context.Core.ScheduleIn(_tick, TickNs);
    }

    /// <inheritdoc/>
    public ulong Incarnation { get; }

    /// <summary>What it has done and refused.</summary>
    public GmsCounters Counters { get; } = new();

    /// <summary>Its events.</summary>
    public GmsEvents Events { get; }

    /// <summary>Where it sends data from.</summary>
    public NodeAddress DataAddress => _ports.Data.LocalAddress;

    /// <summary>Where it takes requests for repair and aggregates.</summary>
    public NodeAddress ControlAddress => _ports.Control.LocalAddress;

    /// <summary>Its applications, by name.</summary>
    public IReadOnlyCollection<ApplicationPrimary> Applications => _byName.Values;

    /// <summary>Told of every committed release, in order: for checkers and instruments. Core thread.</summary>
    public Action<ApplicationPrimary, ReleaseHeader>? OnCommittedRelease { get; set; }

    /// <summary>Bytes of publishes under way.</summary>
    public long UploadBytes { get; internal set; }

    /// <summary>Bytes that pass to connections now: see <see cref="GmsOptions.PassingBytesMax"/>.</summary>
    public long PassingBytes => Passing.Bytes;

    /// <summary>Bytes of publishes that come, without their values.</summary>
    internal long UploadBegunBytes { get; set; }

    /// <summary>The budget of what passes to connections.</summary>
    internal TransientBudget Passing { get; }

    /// <summary>Whose turn it is to be sent bulk.</summary>
    internal BulkScheduler Bulk { get; }

    /// <summary>Values that connections fetch.</summary>
    internal ValueCache Values { get; }

    internal AccessTokenTable Tokens => _tokens;

    /// <summary>The version of the tokens the host judges by. Written on the core thread; read from any.</summary>
    internal long TokensVersion => Volatile.Read(ref _tokensVersion);

    /// <summary>The views of all regions now, for instruments and checkers.</summary>
    public IEnumerable<RegionView> Views => _regions.Values.Select(r => r.View);

    /// <summary>The key epoch of each region now, by region id, for instruments and checkers. Core thread.</summary>
    public IEnumerable<KeyValuePair<ulong, uint>> KeyEpochs => _regions.Select(r => KeyValuePair.Create(r.Key, r.Value.KeyEpoch));

    /// <summary>What the streams of the regions have done. Core thread.</summary>
    public IEnumerable<StreamCounters> Streams => _regions.Values.Select(r => r.StreamCounters);

    /// <summary>The frontier of an application; null when there is none.</summary>
    public PrimaryFrontier? FrontierOf(string application) => Find(application) is { } primary ? _frontiers[primary.Topic] : null;

    /// <inheritdoc/>
    public ApplicationPrimary? Find(string application) => _byName.GetValueOrDefault(application);

    /// <inheritdoc/>
    public ApplicationPrimary? Find(uint topic) => _byTopic.GetValueOrDefault(topic);

    /// <inheritdoc/>
    public void OnLink(ILink link)
    {
        ArgumentNullException.ThrowIfNull(link);
        if (_isStopping || _sessions.Count >= _context.Options.SessionsMax)
        {
            link.Close(_isStopping ? "the host stops" : "the host has as many sessions as it may");
            return;
        }

        _sessions.Add(new NodeConnection(this, _context, link));
        Counters.Sessions = _sessions.Count;
    }

    /// <inheritdoc/>
    public void OnDatagram(Span<byte> datagram)
    {
        if (PacketHeader.TryRead(datagram, out PacketHeader header) != PacketHeaderStatus.Ok || !_regions.TryGetValue(header.RegionId, out ServedRegion? region))
        {
            Counters.DatagramsRefused++;
            return;
        }

        region.OnDatagram(datagram);
    }

    /// <summary>Says goodbye to all and takes no more; disposal comes after the links were flushed.</summary>
    public void Stop(string reason)
    {
        _isStopping = true;
        // Before the members go: that they go because this host does says nothing about a release. Waits are asked again elsewhere.
        foreach (PrimaryFrontier frontier in _frontiers.Values)
        {
            frontier.Dispose();
        }

        foreach (NodeConnection session in _sessions.ToArray())
        {
            session.Send(new Goodbye(reason));
            session.Close(reason, RemovalCause.Left);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isStopping = true;
        _context.Core.Alarms.Cancel(_tick);
        _context.Core.Alarms.Cancel(_look);
        foreach (NodeConnection session in _sessions.ToArray())
        {
            session.Close("the host stopped", RemovalCause.Left);
        }

        foreach (ServedRegion region in _regions.Values)
        {
            region.Dispose();
        }

        _regions.Clear();
        foreach (PrimaryFrontier frontier in _frontiers.Values)
        {
            frontier.Dispose();
        }

        Bulk.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _context.Core.Forget(this);
        _ports.Data.Dispose();
        _ports.Control.Dispose();
    }

    void IPrimaryHandler.OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers)
    {
        Counters.Committed += headers.Count;
        foreach (ReleaseHeader header in headers)
        {
            _frontiers[primary.Topic].OnCommitted(header);
            OnCommittedRelease?.Invoke(primary, header);
            Events.Post(GmsEventKind.Committed, primary.Name, string.Create(CultureInfo.InvariantCulture, $"release {header.Release} by {header.Actor}"));
        }

        foreach (ServedRegion region in _regions.Values)
        {
            if (region.Identity.Interest.Contains(primary.Name))
            {
                region.OnCommitted(primary);
            }
        }
    }

    bool IPrimaryHandler.AreAllBehind(ApplicationPrimary primary)
    {
        bool isAnyBehind = false;
        foreach (ServedRegion region in _regions.Values)
        {
            if (region.MemberCount > 0 && region.Identity.Interest.Contains(primary.Name))
            {
                if (!region.IsFarBehind(primary))
                {
                    return false;
                }

                isAnyBehind = true;
            }
        }

        return isAnyBehind;
    }

    void IPrimaryHandler.OnGeneration(ApplicationPrimary primary)
    {
        Counters.Restores++;
        _frontiers[primary.Topic].OnGeneration(primary.Generation);
        Events.Post(GmsEventKind.Restored, primary.Name, string.Create(CultureInfo.InvariantCulture, $"generation {primary.Generation} begins at release {primary.Committed.Release}"));
    }

    void IPrimaryHandler.OnStoreFailed(ApplicationPrimary primary, string reason) => Events.Post(GmsEventKind.StoreFailed, primary.Name, reason);

    // Both only grow, so that the sum is another one after each change.
    long IServedRegionOwner.StateVersion => Counters.Committed + _byTopic.Count;

    byte[] IServedRegionOwner.NewKey() => _keys.NewRegionKey();

    uint IServedRegionOwner.NextViewCounter(ulong regionId) => _viewCounter++;

    NodeAddress IServedRegionOwner.TakeGroup() => _ports.Groups?.Take() ?? default;

    void IServedRegionOwner.ReturnGroup(in NodeAddress group) => _ports.Groups?.Return(group);

    uint IServedRegionOwner.FirstKeyEpoch => Math.Max(_context.SlotEpoch, _keyEpochFloor);

    /// <summary>Creates an application; <paramref name="done"/> gets null, or why not.</summary>
    internal void CreateApplication(string name, string actor, Action<Refusal?> done)
    {
        if (ReleaseNames.CheckApplication(name) is { } wrong)
        {
            done(new Refusal(ErrorCode.InvalidRequest, wrong));
            return;
        }

        if (_byName.ContainsKey(name))
        {
            done(IsThere(name));
            return;
        }

        uint topic = Math.Max(_byTopic.Count == 0 ? 0 : _byTopic.Keys.Max(), _lastTopic) + 1;
        _lastTopic = topic;
        var batch = new CommitBatch
        {
            Applications = [new NewApplication(topic, name, 1)],
            Audit = [new AuditEntry(_context.Clock.UnixMicros, actor, "application.create", name, null, string.Empty)],
        };
        bool isTaken = _context.Store.Commit(batch, _context.OnCore<CommitResult>(result =>
        {
            if (result.IsDone)
            {
                Add(new StoredApplication(topic, name, 1, null, default, [], []));
                Events.Post(GmsEventKind.ApplicationCreated, name, $"by {actor}");
            }

            done(result.IsDone ? null : _byName.ContainsKey(name) ? IsThere(name) : new Refusal(ErrorCode.StoreFailed, $"The application was not created: {result.Reason}"));
        }));
        if (!isTaken)
        {
            done(new Refusal(ErrorCode.Busy, "The store is busy; try again."));
        }
    }

    private static Refusal IsThere(string name) => new(ErrorCode.AlreadyExists, $"The application '{name}' is there already.");

    private void Add(StoredApplication stored)
    {
        var primary = new ApplicationPrimary(_context, stored, this);
        _byName.Add(stored.Name, primary);
        _byTopic.Add(stored.Topic, primary);
        _frontiers.Add(stored.Topic, new PrimaryFrontier(_context, primary, this));
    }

    private void OnTick()
    {
        _context.Core.ScheduleIn(_tick, TickNs);
        long silentSinceNs = _context.Core.NowNs - ((_context.Options.HeartbeatsMissedMax + 1) * _context.Options.HeartbeatNs);
        foreach (NodeConnection session in _sessions.Where(s => s.LastHeardNs < silentSinceNs).ToArray())
        {
            session.Close(string.Create(CultureInfo.InvariantCulture, $"{_context.Options.HeartbeatsMissedMax} heartbeats were missed"), RemovalCause.Failed);
        }

        // What waits for a connection is memory that others wait for.
        long stalledSinceNs = _context.Core.NowNs - SendStallTimeoutNs;
        foreach (NodeConnection session in _sessions.Where(s => s.StalledSinceNs() < stalledSinceNs).ToArray())
        {
            session.Close("it does not read what it is sent", RemovalCause.Failed);
        }

        Values.Sweep();
        DropEmptyRegions();
        CheckTokens();
    }

    /// <summary>There is no room for what connections do not take: the one with most goes. False when that is the one that asks.</summary>
    internal bool CloseSlowest(NodeConnection asking)
    {
        NodeConnection slowest = asking;
        foreach (NodeConnection session in _sessions)
        {
            slowest = session.WaitingBytes > slowest.WaitingBytes ? session : slowest;
        }

        if (ReferenceEquals(slowest, asking))
        {
            return false;
        }

        slowest.Close("it reads more slowly than it is sent, and the host has no room for more", RemovalCause.Failed);
        return true;
    }

    /// <summary>Zones are named by nodes: regions that nobody is in any more must not pile up. One that comes again begins above the views and the key epochs of the one before.</summary>
    private void DropEmptyRegions()
    {
        foreach ((ulong id, ServedRegion region) in _regions.Where(r => r.Value.IsEmpty).ToArray())
        {
            _viewCounter = Math.Max(_viewCounter, region.View.Number.Counter + 1);
            _keyEpochFloor = Math.Max(_keyEpochFloor, region.KeyEpoch + 1);
            region.Dispose();
            _regions.Remove(id);
            ulong interestId = region.Identity.Ordinal == 0 ? id : region.Identity.At(0).RegionId;
            RegionSet regions = _interests[interestId];
            regions.Remove(region);
            if (regions.IsEmpty)
            {
                _interests.Remove(interestId);
            }
        }
    }

    private void CheckTokens()
    {
        long version = _context.Store.TokensVersion;
        if (version != _tokensVersion && !_isReadingTokens)
        {
            _isReadingTokens = _context.Store.ReadTokens(_context.OnCore<ReadResult<IReadOnlyList<AccessToken>>>(result =>
            {
                _isReadingTokens = false;
                if (result.Status == StoreStatus.Done)
                {
                    _tokens.Replace(result.Value!);
                    Volatile.Write(ref _tokensVersion, version);
                }
            }));
        }

        long nowMicros = _context.Clock.UnixMicros;
        foreach (NodeConnection session in _sessions.Where(s => !IsEntitled(s, nowMicros)).ToArray())
        {
            session.Close($"its token {session.Peer.TokenId} is revoked, expired, or no longer good for what it takes", RemovalCause.Expelled);
        }
    }
}
