using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Gms.Calls;
using Ripple.Gms.Definitions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Matching;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Sessions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Core;

/// <summary>
/// One host: its subsystems, assembled on one core. Created on the core thread (or before it runs) from the store's state after the epoch
/// of this start was persisted. Core thread.
/// </summary>
internal sealed class HostCore : ILinkAcceptor, IDatagramHandler, IPrimaryHandler, IDisposable
{
    /// <summary>Interval of the periodic checks: silence, stalls, tokens, empty regions. A quarter of the default heartbeat.</summary>
    private const long TickNs = ConnectionTable.TickNs;

    private readonly HostContext _context;
    private readonly RecentValues _recentValues;
    private readonly StreamedValues _streamedValues;
    private readonly HostPorts _ports;
    private readonly PortSink _dataSink;
    private readonly PortSink _controlSink;
    private readonly ApplicationTable _applications;
    private readonly FrontierSet _frontiers;
    private readonly DefinitionTable _definitions;
    private readonly EventSpaces _spaces;
    private readonly RegionTable _regions;
    private readonly ConnectionTable _connections;
    private readonly BulkScheduler _bulk;
    private readonly TransientBudget _memory;
    private readonly ValueCache _values;
    private readonly AccessTokenTable _tokens;
    private readonly HistoryPruner _pruner;
    private readonly Alarm _tick;

    /// <summary>Creates a host.</summary>
    /// <param name="context">The host's shared services.</param>
    /// <param name="state">The store's state at this start.</param>
    /// <param name="ports">The datagram ports; the host disposes of them.</param>
    /// <param name="keys">The source of region keys.</param>
    /// <param name="preparer">Checks and digests publishes off the core.</param>
    /// <param name="events">Receives the host's events.</param>
    /// <param name="forms">Makes short forms of values; null for none.</param>
    public HostCore(
        HostContext context,
        HostState state,
        HostPorts ports,
        IKeySource keys,
        IPublishPreparer preparer,
        GmsEvents events,
        IShortFormMaker? forms = null)
    {
        _context = context;
        _recentValues = new RecentValues(context.Options.DeltaBytesMax, forms);
        _streamedValues = new StreamedValues(context.Options.StreamedBytesMax);
        _ports = ports;
        Events = events;
        Incarnation = context.Epoch.TakeHostIncarnation(context.Core.Random);
        _dataSink = new PortSink(context.Core, ports.Data);
        _controlSink = new PortSink(context.Core, ports.Control);
        ports.Data.Handler = this;
        ports.Control.Handler = this;
        _memory = new TransientBudget(context.Options.TransientBytesMax);
        _values = new ValueCache(context, _memory);
        _bulk = new BulkScheduler(context.Core);
        _tokens = new AccessTokenTable(state.Tokens, state.RevokedNodes, state.TokensVersion);
        _frontiers = new FrontierSet(context);
        _spaces = new EventSpaces(context.Core, context.Options.Events, Counters);
        _definitions = new DefinitionTable(context) { OnChanged = OnDefinitions };
        _applications = new ApplicationTable(context, this, state.GenerationMin)
        {
            OnAdded = _frontiers.Add,
            OnCreated = (name, actor) => events.Post(GmsEventKind.ApplicationCreated, name, $"by {actor}"),
        };
        _pruner = new HistoryPruner(
            context,
            _applications,
            read => _memory.Take(TransientBudget.ReadBytesMax, read),
            () => _memory.Return(TransientBudget.ReadBytesMax),
            Counters,
            events);
        foreach (StoredApplication stored in state.Applications)
        {
            _applications.Add(stored);
            ApplicationPrimary primary = _applications.Find(stored.Topic)!;
            _definitions.OnCommitted(primary);
            if (CompanionName.OwnerOf(primary.Name) is { } owner)
            {
                _spaces.OnStored(owner);
            }
        }

        _regions = new RegionTable(new RegionServices(
            context, Counters, events, _applications, keys, ports.Groups, Incarnation, _dataSink, _controlSink, _frontiers.EvaluateWaits));
        _frontiers.OnDemand = _regions.Demand;
        Calls = new CallService(
            context, _tokens, _applications, _frontiers, _definitions, _spaces, preparer, Counters, events, MembersOf, MemberCountOf);
        _connections = new ConnectionTable(new SessionServices(
            context,
            Counters,
            events,
            _tokens,
            _applications,
            _frontiers,
            _regions,
            Calls,
            _memory,
            _values,
            _bulk,
            new HostAddress(Incarnation, DataAddress, ControlAddress)));
        _tick = new Alarm(OnTick);
        context.Core.ScheduleIn(_tick, TickNs);
    }

    /// <summary>Adds the memory a host holds for its regions, connections and applications.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        ServedRegion.AddMemory(budget);
        TransientBudget.AddMemory(budget, options);
        BodyFeed.AddMemory(budget);
        CallService.AddMemory(budget, options);
        ConnectionCalls.AddMemory(budget, options.Limits.Calls);
        ApplicationPrimary.AddMemory(budget, options);
        RecentValues.AddMemory(budget, options);
        StreamedValues.AddMemory(budget, options);
        FrontierSet.AddMemory(budget);
        DefinitionTable.AddMemory(budget);
        EventSpaces.AddMemory(budget, options.Events);
        AwaitedSubscriptions.AddMemory(budget, options.Events);
        AccessTokenTable.AddMemory(budget);
    }

    /// <summary>The origin id of its streams; new at each start, never reused.</summary>
    public ulong Incarnation { get; }

    /// <summary>How many values were released as deltas. Any thread.</summary>
    public long DeltaCount => _recentValues.DeltaCount;

    /// <summary>How many values were given to streams. Any thread.</summary>
    public long StreamedValueCount => _streamedValues.Count;

    /// <summary>How many values were released compressed. Any thread.</summary>
    public long CompressedCount => _recentValues.CompressedCount;

    /// <summary>The host's counters.</summary>
    public GmsCounters Counters { get; } = new();

    /// <summary>Its events.</summary>
    public GmsEvents Events { get; }

    /// <summary>The address it sends data from.</summary>
    public NodeAddress DataAddress => _ports.Data.LocalAddress;

    /// <summary>The address that receives repair requests and aggregates.</summary>
    public NodeAddress ControlAddress => _ports.Control.LocalAddress;

    /// <summary>Its applications, by name.</summary>
    public IReadOnlyCollection<ApplicationPrimary> Applications => _applications.All;

    /// <summary>Called for every committed release, in order; for checkers and instruments. Core thread.</summary>
    public Action<ApplicationPrimary, ReleaseHeader>? OnCommittedRelease { get; set; }

    /// <summary>Bytes of publishes in progress.</summary>
    public long UploadBytes => Calls.Publishing.Uploads.Bytes;

    /// <summary>Bytes in transit to connections; see <see cref="GmsOptions.TransientBytesMax"/>.</summary>
    public long TransientBytes => _memory.Bytes;

    /// <summary>The most answers of calls that wait for one connection, for checkers.</summary>
    internal int AnswersWaitingMax => _connections.AnswersWaitingMax;

    /// <summary>The current views of all regions, for instruments and checkers.</summary>
    public IEnumerable<RegionView> Views => _regions.Views;

    /// <summary>The current key epoch of each region, by region id, for instruments and checkers.</summary>
    public IEnumerable<KeyValuePair<ulong, uint>> KeyEpochs => _regions.All.Select(r => KeyValuePair.Create(r.Key, r.Value.KeyEpoch));

    /// <summary>The streams of all regions, for instruments and checkers.</summary>
    public IEnumerable<StreamSender> Streams => _regions.Streams;

    /// <summary>Its regions.</summary>
    internal RegionTable Regions => _regions;

    /// <summary>The calls it answers.</summary>
    internal CallService Calls { get; }

    /// <summary>The token list version that the core uses. Any thread.</summary>
    internal long TokensVersion => _tokens.Version;

    /// <summary>The frontier of an application; null when there is none.</summary>
    public ApplicationFrontier? FrontierOf(string application) => Find(application) is { } primary ? _frontiers.Of(primary) : null;

    /// <summary>What an application says about itself; null while that is being read.</summary>
    internal ApplicationDefinitions? DefinitionsOf(string application) => _definitions.Find(application);

    /// <summary>The space of an application's events; null if it has none.</summary>
    internal EventSpace? SpaceOf(string application) => _spaces.Find(application);

    /// <summary>The bytes of events that are not delivered to all of their subscribers.</summary>
    internal long EventBytes => _spaces.Bytes;

    /// <summary>The primary of an application; null when there is none.</summary>
    public ApplicationPrimary? Find(string application) => _applications.Find(application);

    /// <inheritdoc/>
    public void OnLink(ILink link)
    {
        _connections.OnLink(link);
    }

    /// <inheritdoc/>
    public void OnDatagram(Span<byte> datagram) => _regions.OnDatagram(datagram);

    /// <summary>Says goodbye to all connections and accepts no more. Dispose after the links were flushed.</summary>
    public void Stop(string reason)
    {
        // Before members are removed: their removal by this shutdown must not decide a wait.
        _frontiers.Close();
        _spaces.Stop();
        _connections.Stop(reason);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _context.Core.Alarms.Cancel(_tick);
        _spaces.Stop();
        _connections.Dispose();
        _regions.Dispose();
        _frontiers.Dispose();
        _bulk.Dispose();
        _dataSink.Dispose();
        _controlSink.Dispose();
        _context.Core.Forget(this);
        _ports.Data.Dispose();
        _ports.Control.Dispose();
    }

    /// <inheritdoc cref="ConnectionTable.OnSigner"/>
    internal void OnSigner(ReadOnlyMemory<byte> certificate) => _connections.OnSigner(certificate);

    /// <inheritdoc cref="ConnectionTable.TellHosts"/>
    internal void TellHosts(IReadOnlyList<string> endpoints) => _connections.TellHosts(endpoints);

    /// <summary>The joined nodes that receive an application's releases, by id.</summary>
    internal IEnumerable<MemberRecord> MembersOf(string application) => _connections.MembersOf(application);

    /// <summary>The number of nodes that currently receive an application's releases.</summary>
    internal int MemberCountOf(string application) => _connections.MemberCountOf(application);

    /// <summary>The applications that a node takes or took, by name, and what it called itself; empty for one that is not known.</summary>
    internal (string Name, IReadOnlyList<string> Applications) Memberships(NodeId node)
    {
        string name = "";
        var applications = new List<string>();
        foreach (ApplicationPrimary primary in _applications.All)
        {
            if (_frontiers.Of(primary).RowsAfter((node, 0)).FirstOrDefault() is { } row && row.Node == node)
            {
                name = row.Name;
                applications.Add(primary.Name);
            }
        }

        return (name, applications);
    }

    MembershipChange? IPrimaryHandler.OnOrdered(ApplicationPrimary primary, ulong first, ulong last) =>
        _frontiers.Of(primary).OnOrdered(first, last);

    void IPrimaryHandler.OnMembersStored(ApplicationPrimary primary) => _frontiers.Of(primary).OnMembersStored();

    void IPrimaryHandler.OnCommitted(ApplicationPrimary primary, IReadOnlyList<ReleaseHeader> headers)
    {
        Counters.Committed += headers.Count;
        ApplicationFrontier frontier = _frontiers.Of(primary);
        foreach (ReleaseHeader header in headers)
        {
            frontier.OnCommitted(header);
            OnCommittedRelease?.Invoke(primary, header);
            Events.Post(
                GmsEventKind.Committed,
                primary.Name,
                string.Create(CultureInfo.InvariantCulture, $"release {header.Release} by {header.Actor}"));
        }

        _definitions.OnCommitted(primary);
        _regions.OnCommitted(primary);
    }

    Refusal? IPrimaryHandler.Judge(ReleaseState state, IEnumerable<KeyChange> changes) =>
        CompanionName.OwnerOf(state.Application) is null ? null : DefinitionRules.CheckOrdered(state, changes);

    bool IPrimaryHandler.AreAllBehind(ApplicationPrimary primary) => _regions.AreAllBehind(primary);

    RecentValues IPrimaryHandler.Values => _recentValues;

    StreamedValues IPrimaryHandler.StreamedValues => _streamedValues;

    bool IPrimaryHandler.MustBeWhole(ApplicationPrimary primary) => _regions.MustBeWhole(primary);

    void IPrimaryHandler.OnGeneration(ApplicationPrimary primary)
    {
        Counters.Restores++;
        _frontiers.Of(primary).OnGeneration(primary.Generation);
        string detail = string.Create(
            CultureInfo.InvariantCulture, $"generation {primary.Generation} begins at release {primary.Committed.Release}");
        Events.Post(GmsEventKind.Restored, primary.Name, detail);
    }

    void IPrimaryHandler.OnStoreFailed(ApplicationPrimary primary, string reason) =>
        Events.Post(GmsEventKind.StoreFailed, primary.Name, reason);

    private void OnDefinitions(string application, ApplicationDefinitions definitions)
    {
        if (FrontierOf(application) is { } frontier)
        {
            frontier.OnDefinitions(
                definitions.Levels.Keys,
                definitions.Areas,
                name => definitions.Predicates.TryGetValue(name, out NamedPredicate? named) ? (named.Text, named.Version) : null);
            frontier.OnExternals([.. definitions.Externals.Keys], definitions.Reports.Values);
        }

        _spaces.OnDefinitions(application, definitions);
    }

    private void OnTick()
    {
        _context.Core.ScheduleIn(_tick, TickNs);
        _connections.OnTick();
        _frontiers.OnTick();
        _definitions.OnTick();
        _spaces.OnTick();
        _values.Sweep();
        Calls.OnTick();
        _pruner.OnTick();
        _regions.OnTick();
        _connections.CheckTokens();
    }
}

/// <summary>The datagram ports of a host, which disposes of them.</summary>
/// <param name="Data">Sends data and repairs.</param>
/// <param name="Control">Sends beacons; receives repair requests and aggregates.</param>
/// <param name="Groups">The multicast groups that the data port may send to, one per region; null: every member receives its stream by
/// unicast.</param>
internal sealed record HostPorts(IDatagramPort Data, IDatagramPort Control, GroupRange? Groups = null);
