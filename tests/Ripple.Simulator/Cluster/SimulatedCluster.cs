using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Gms;
using Ripple.Simulator.Adversary;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Cluster.Applications;
using Ripple.Simulator.Cluster.Events;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Costs;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// A whole cluster in a simulated world: one host on a simulated disk, client nodes in two zones and of one or more applications,
/// publishers of each, faults, a forger or an attacker, and every checker. A seed determines the run.
/// </summary>
public sealed partial class SimulatedCluster
{
    /// <summary>The name of the application of a cluster that has no others.</summary>
    public const string Application = "shop";

    private const int RecentBytesMax = 16 * 1_024;
    // Enough for one read at a time; others wait.
    private const long TransientBytesMax = 20L * 1_024 * 1_024;
    private const string TokenId = "simulated";
    // In the east, where the other nodes of its region are.
    private const int CapturedIndex = 1;
    private readonly ClusterOptions _options;
    private readonly List<SimulatedClient> _clients = [];
    private readonly List<SimulatedPublisher> _publishers = [];
    private readonly DeterministicRandom _random;
    private readonly ClusterFaults _more;
    private readonly DeterministicRandom? _drifts;
    private readonly CalmWindows _calms;
    private readonly ClusterOracles _oracles;
    private readonly BoundsChecker _bounds;
    private readonly ConvergenceChecker _convergence;
    private readonly ClusterTrace? _trace;
    private readonly Forger? _forger;
    private readonly AttackedCluster? _attack;
    private ForkPlan? _fork;
    private CrashMoments? _moments;
    private Administrator? _administrator;
    private ApplicationCreator? _creator;
    private SimulatedDiskCopy? _copy;
    private bool _isForging;

    /// <summary>Builds the cluster; nothing runs yet.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="options">The composition of the cluster.</param>
    /// <param name="replayArguments">The arguments a replay needs besides the seed.</param>
    public SimulatedCluster(ulong seed, ClusterOptions options, string replayArguments = "")
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _more = options.HasFaults ? options.MoreFaults : ClusterFaults.None;
        _calms = (options.Judges & Judges.Progress) != 0 ? new CalmWindows(15_000_000_000, 5_000_000_000) : CalmWindows.None;
        World = new SimulatedWorld(
            seed, new WorldOptions { ReplayArguments = replayArguments, Script = options.Script, Trace = options.Trace });
        World.Network.Nonces = new NonceChecker(World);
        _random = World.Random.Fork(12);
        var authority = new SimulatedAuthority(World.Random.Fork(13));
        _drifts = Has(ClusterFaults.Clock) ? World.Random.Fork(23) : null;
        var hostPeer = new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" };
        SimulatedMachine hostMachine = World.AddMachine("host", "east", hostPeer, MachineOptions());
        var hostOptions = new GmsOptions
        {
            RecentBytesMax = RecentBytesMax,
            CatchUpReleasesMax = 16,
            RegionMembersMax = options.RegionMembersMax,
            TransientBytesMax = TransientBytesMax,
        };
        hostOptions = options.TuneHost?.Invoke(hostOptions) ?? hostOptions;
        if (options.PartMembers is { } partMembers && hostOptions.Limits.PartMembers == HostLimits.Default.PartMembers)
        {
            hostOptions = hostOptions with { Limits = hostOptions.Limits with { PartMembers = partMembers } };
        }

        if (options.AggregateDatagramsMax is { } datagramsMax
            && hostOptions.Limits.AggregateDatagramsMax == HostLimits.Default.AggregateDatagramsMax)
        {
            hostOptions = hostOptions with { Limits = hostOptions.Limits with { AggregateDatagramsMax = datagramsMax } };
        }

        if (options.CacheOwners is { } cacheOwners && hostOptions.Limits.CacheOwners == HostLimits.Default.CacheOwners)
        {
            hostOptions = hostOptions with { Limits = hostOptions.Limits with { CacheOwners = cacheOwners } };
        }

        if (options.MembersPerLeaf is { } membersPerLeaf && hostOptions.Limits.MembersPerLeaf == HostLimits.Default.MembersPerLeaf)
        {
            hostOptions = hostOptions with { Limits = hostOptions.Limits with { MembersPerLeaf = membersPerLeaf } };
        }

        Host = new SimulatedHost(World, hostMachine, authority, hostOptions) { GroupsMax = options.GroupsMax };
        for (int i = 0; i < options.Nodes; i++)
        {
            string application = options.Applications[i % options.Applications.Count];
            double rejectShare = i % 4 == 1 ? options.RejectShare : 0;
            _clients.Add(AddClient($"client{i}", i % 3 == 0 ? "west" : "east", "node", application, authority, rejectShare, i));
            _clients[i].Machine.IsAbsent = !World.Script.Takes(RunItem.Node, i);
        }

        for (int i = 0; i < options.Applications.Count * options.PublishersEach; i++)
        {
            string name = i == 0 ? "publisher" : $"publisher{i}";
            SimulatedClient client = AddClient(name, "east", "publisher", "ops", authority, 0, options.Nodes + i);
            string application = options.Applications[i % options.Applications.Count];
            _publishers.Add(client is SimulatedRippleClient real
                ? new ClientPublisher(World, real, application)
                : new SimulatedPublisher(World, client, application) { WaitsDirectly = options.Attack is not null });
        }

        World.Network.Nonces.RunOf = machine => machine == hostMachine
            ? Host.Gms?.Incarnation ?? 0
            : Processes.FirstOrDefault(c => c.Machine == machine)?.Node?.Region?.Origin ?? 0;
        Reference = new ReferenceHistory();
        _bounds = new BoundsChecker(World);
        _oracles = new ClusterOracles(World, Host, _clients, _publishers, options.Judges);
        ConnectDefinitions();
        NodeGauges.RegisterShared(_bounds, World);
        foreach (SimulatedClient client in _publishers.Select(p => p.Client).Distinct())
        {
            var gauges = new NodeGauges(client, client.Applications.First(), options.NodeLimits);
            client.OnStarted = () => gauges.Register(_bounds);
        }

        foreach (SimulatedClient client in _clients)
        {
            NodeGauges[] gauges = [.. client.Applications.Select(a => new NodeGauges(client, a, options.NodeLimits))];
            client.OnStarted = () =>
            {
                Array.ForEach(gauges, g => g.Register(_bounds));
                if (options.Attack is null)
                {
                    // What a host says over TLS is never malformed.
                    _bounds.Register("control frames refused", () => client.Node?.Counters.ControlRefused ?? 0, 0, client.Machine);
                }

                if (options.Attack is null && options.GroupsMax == 0)
                {
                    // With groups, who changes from one way of delivery to the other gets some packets by both.
                    _bounds.Register("fresh packets refused as repeated", () => FreshRefused(client), 0, client.Machine);
                }

                _moments?.On(client.Machine, "Starting", 60_000_000);
            };
            client.OnJoined = () => _moments?.On(client.Machine, "Joining");
            client.OnSaving = () => _moments?.On(client.Machine, "Saving");
        }

        ClusterCounters.Check(this);
        _attack = options.Attack is { } attack ? new AttackedCluster(this, _clients[CapturedIndex], authority, attack) : null;
        _convergence = new ConvergenceChecker(World, _oracles);
        foreach (string application in options.Applications)
        {
            Host.Machine.Add(new FrontierChecker(World, this, application));
        }

        Host.Machine.Add(new ViewChecker(World, this));
        List<SimulatedClient> victims = [.. _clients.Where(c => c.Machine.Zone == "east")];
        _forger = options.HasForger && victims.Count > 1 ? new Forger(World, victims[0], victims[1..]) : null;
        foreach (SimulatedPublisher publisher in _publishers)
        {
            options.TunePublisher?.Invoke(World, publisher, _oracles);
        }

        Host.OnFound += Reference.Add;
        Host.OnReady = OnHostReady;
        _trace = ClusterTrace.Connect(this);
        Events = options.Events is { } rules ? new EventTraffic(this, rules) : null;
        World.Hasher.Add("clients", AddClients);
        World.Hasher.Add("disk", AddDisk);
    }

    /// <summary>The world.</summary>
    internal SimulatedWorld World { get; }

    /// <summary>The faults that occurred, by plan and by chance.</summary>
    public FaultCounters Faults => World.Faults;

    /// <summary>The host.</summary>
    internal SimulatedHost Host { get; }

    /// <summary>The clients, without the publisher's client.</summary>
    internal IReadOnlyList<SimulatedClient> Clients => _clients;

    /// <summary>The clients, and those of the publishers.</summary>
    internal IEnumerable<SimulatedClient> Processes => _clients.Concat(_publishers.Select(p => p.Client));

    /// <summary>The first publisher.</summary>
    internal SimulatedPublisher Publisher => _publishers[0];

    /// <summary>All publishers.</summary>
    internal IReadOnlyList<SimulatedPublisher> Publishers => _publishers;

    /// <summary>The world's model: who publishes besides the publishers tells its book before it does.</summary>
    internal ClusterOracles Oracles => _oracles;

    /// <summary>The events; null where there are none.</summary>
    internal EventTraffic? Events { get; }

    /// <summary>The committed releases.</summary>
    internal ReferenceHistory Reference { get; }

    /// <summary>The number of committed releases.</summary>
    public long CommittedCount => Reference.Count;

    /// <summary>The number of states put in effect, over all clients.</summary>
    public long AppliedCount => _clients.Sum(c => c.AppliedCount);

    /// <summary>The highest number of regions at one time, including those of the publisher and of the other zone.</summary>
    public int RegionsMax { get; private set; }

    /// <summary>How often a member became a leaf, at the host and at those before it.</summary>
    public long LeafCount => _hostCounters.Sum(c => c.LeavesMade);

    /// <summary>The number of forged datagrams and frames.</summary>
    public long ForgedCount => _attack?.Attacker.Tally.Sent ?? _forger?.SentCount ?? 0;

    /// <summary>When the run has windows of calm.</summary>
    internal CalmWindows Calms => _calms;

    /// <summary>Whether faults occur.</summary>
    internal bool HasFaults => _options.HasFaults;

    /// <summary>The attacker; null where there is none.</summary>
    internal Attacker? Attacker => _attack?.Attacker;

    /// <summary>Runs to the end, or to the first violation.</summary>
    /// <exception cref="InvariantViolationException">A checker found a violation.</exception>
    public void Run()
    {
        Prepare();
        PressureChecker? pressure = _options.HasPressure ? new PressureChecker(World, this) : null;
        pressure?.Start();
        foreach (SimulatedMachine machine in World.Machines)
        {
            machine.Start();
        }

        long activeNs = _options.DurationNs - _options.QuietEndNs;
        BeginMoreFaults(activeNs);
        if (_options.HasFaults)
        {
            var plan = new FaultPlan(World, World.Random.Fork(14), new FaultPlanOptions
            {
                DurationNs = _options.DurationNs,
                QuietEndNs = _options.QuietEndNs,
                Calms = _calms,
                Kinds = FaultKinds(),
            });
            plan.Start();
        }

        BreakFolders(activeNs);
        foreach (SimulatedPublisher publisher in _publishers)
        {
            string every = publisher == Publisher ? "publish" : $"publish of {publisher.Client.Machine.Name}";
            Every(every, _random, _options.PublishEveryNs, activeNs, number => Publish(publisher, number));
        }

        if (_attack is not null && World.Script.Takes(RunItem.Fault, "attack"))
        {
            _attack.Start();
        }

        _isForging = _forger is not null && World.Script.Takes(RunItem.Fault, "forgeries");
        if (_isForging)
        {
            Every("forge", _random, 700_000_000, activeNs, _ => Forge());
        }

        if (_options.Forks && World.Script.Takes(RunItem.Fault, "fork"))
        {
            _fork = new ForkPlan(World, this);
            _fork.Start(activeNs, Copy, Restore);
        }
        else if (_options.HasRestore)
        {
            long restoreNs = _calms.After(activeNs * 2 / 3);
            if (World.Script.Takes(RunItem.Fault, "restore"))
            {
                World.Scheduler.Schedule(activeNs / 3, Copy);
                World.Scheduler.Schedule(restoreNs, Restore);
            }

            SendAway(restoreNs);
        }

        if (_options.HasAdminCalls)
        {
            DeterministicRandom creations = World.Random.Fork(28);
            _creator = new ApplicationCreator(this, creations);
            Every("create", creations, 5_000_000_000, activeNs, number => Host.Machine.Post(() => _creator.Ask(number)));
            DeterministicRandom plans = World.Random.Fork(29);
            var planner = new RollbackPlanner(this, plans);
            Every("plan", plans, 1_000_000_000, activeNs, _ => Host.Machine.Post(planner.Ask));
        }

        if ((_options.Judges & Judges.Staleness) != 0)
        {
            foreach (SimulatedPublisher publisher in _publishers)
            {
                AskStatus(publisher, World.Random.Fork(21), activeNs);
            }
        }

        BeginEvents(activeNs);
        new ProgressChecker(World, _oracles, _calms, activeNs).Start();
        CostChecker? costs = _options.Costs is { } happens ? new CostChecker(World, this, happens, CostLimitsOf(happens)) : null;
        costs?.Start(activeNs);

        var rows = new RowChecker(World, this);
        World.RunUntil(_options.DurationNs - RowChecker.SilenceNsMax);
        rows.LookBeforeEnd();
        World.RunUntil(_options.DurationNs);
        _convergence.CheckEnd();
        rows.CheckEnd();
        _creator?.CheckEnd();
        if (_options.ComparesStore)
        {
            new StoreChecker(World, Host.Disk.Image).CheckEnd();
        }

        _oracles.CheckEnd();
        Events?.Book.CheckEnd();
        costs?.CheckEnd();
        pressure?.CheckEnd();
        World.RunUntil(_options.DurationNs + 1);
    }

    private CostLimits CostLimitsOf(CostEvent happens) =>
        CostLimits.Of(happens, _options.RealClientsEvery > 0, _options.Applications.Count > 1);
}
