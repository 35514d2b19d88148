using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Core;
using Ripple.Gms.Definitions;
using Ripple.Gms.Matching;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Links;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Gms.Tests.Calls;

/// <summary>
/// A host that is stepped, on a scripted store, and connections to its control door. Tests say frames, inputs and answers; of what classes
/// a host is made, this alone knows. There are the applications <c>shop</c> and <c>other</c>, and tokens named by what they are good for.
/// </summary>
internal sealed class CallRig : IWallClock, IKeySource, IPublishPreparer, IHostLease
{
    public const string Shop = "shop";
    public const uint ShopTopic = 1;

    /// <summary>A node of the first application.</summary>
    public const string Node = "node";

    /// <summary>A publisher of the first application.</summary>
    public const string Publisher = "publisher";

    /// <summary>An administrator of the cluster.</summary>
    public const string Admin = "admin";

    /// <summary>A publisher of the other application.</summary>
    public const string Stranger = "stranger";

    /// <summary>
    /// Limits under which a connection may send forty seconds of its frames at once: for tests of what calls cost, which are not to wait
    /// for their frames (<see cref="Sessions.FrameShareTests"/> holds those to account).
    /// </summary>
    public static readonly GmsOptions ManyFrames = new()
    {
        Limits = HostLimits.Default with
        {
            Calls = new CallLimits { Connection = new CallLimits().Connection with { FrameMsKept = 40_000 } },
        },
    };

    private const long RunNs = 200_000_000;
    private const int RunSlices = 20;
    private readonly SimulatedWorld _world = new(11);
    private readonly SimulatedMachine _machine;
    private readonly SimulatedAuthority _authority;
    private readonly SimulatedDisk _disk;
    private readonly GmsOptions _options;
    private readonly List<ControlCaller> _callers = [];
    private readonly Queue<Action> _preparations = [];
    private SimulatedHostStore _inner;
    private HostCore _host;
    private int _lastNode;

    public CallRig(GmsOptions? options = null)
    {
        _options = options ?? new GmsOptions();
        _authority = new SimulatedAuthority(_world.Random.Fork(13));
        _machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _disk = new SimulatedDisk((delayNs, action) => _world.Scheduler.Schedule(delayNs, action), new DeterministicRandom(2));
        using (SimulatedHostStore store = _disk.Open())
        {
            store.Commit(
                new CommitBatch
                {
                    Applications = [new NewApplication(ShopTopic, Shop, 1), new NewApplication(2, "other", 1)],
                    Tokens =
                    [
                        Token(Node, Shop, AccessRole.Node),
                        Token(Publisher, Shop, AccessRole.Publisher),
                        Token(Admin, AccessTokenGrant.All, AccessRole.Admin),
                        Token(Stranger, "other", AccessRole.Publisher),
                    ],
                },
                _ => { });
        }

        (_inner, Store, _host) = Start();
    }

    public long UnixMicros => 1_700_000_000_000_000 + (_world.Scheduler.NowNs / 1_000);

    public ScriptedStore Store { get; private set; }

    /// <summary>What was delivered, in order, of all applications.</summary>
    public List<ReleaseHeader> Committed { get; } = [];

    /// <summary>The bytes the host counts for publishes under way: their values, and what is around them.</summary>
    public long UploadBytes => _host.Calls.Publishing.Uploads.TotalBytes;

    /// <summary>What the host counts.</summary>
    public GmsCounters Counters => _host.Counters;

    /// <summary>How many publishes and rollbacks the host says it refused.</summary>
    public long RefusedCount => _host.Counters.PublishesRefused;

    /// <summary>The most answers that wait for one connection.</summary>
    public int AnswersWaitingMax => _host.AnswersWaitingMax;

    /// <summary>Releases that left a history.</summary>
    public long PrunedCount => _host.Counters.Pruned;

    /// <summary>The memory that what is read holds.</summary>
    public long TransientBytes => _host.TransientBytes;

    /// <summary>Reads in progress over all connections.</summary>
    public int ReadCount => _host.Calls.Budget.ReadCount;

    /// <summary>Waits under way over the first application.</summary>
    public int WaitCount => _host.FrontierOf(Shop)!.WaitCount;

    /// <summary>The space of the first application's events; null if it has none.</summary>
    public EventSpace? Space => _host.SpaceOf(Shop);

    /// <summary>The bytes of events that are not delivered.</summary>
    public long EventBytes => _host.EventBytes;

    /// <summary>Monitors under way over the first application.</summary>
    public int MonitorCount => _host.FrontierOf(Shop)!.MonitorCount;

    /// <summary>What the first application says about itself; null while that is being read.</summary>
    public ApplicationDefinitions? Definitions => _host.DefinitionsOf(Shop);

    /// <summary>The names of its applications.</summary>
    public IEnumerable<string> Applications => _host.Applications.Select(a => a.Name);

    /// <summary>Whether the host may be sure that it leads. Default true.</summary>
    public bool IsLeaseHeld { get; set; } = true;

    bool IHostLease.IsHeld => IsLeaseHeld;

    /// <summary>True: whoever is to prepare publishes has too many.</summary>
    public bool IsPreparerFull { get; set; }

    /// <summary>True: publishes are prepared when <see cref="Prepare"/> is called, not at once.</summary>
    public bool HoldsPreparations { get; set; }

    /// <summary>Publishes that were held back and are not prepared yet.</summary>
    public int HeldCount => _preparations.Count;

    /// <summary>Lets time pass: the host works, and connections carry what waits.</summary>
    public void Run(long ns = RunNs)
    {
        for (int i = 0; i < RunSlices; i++)
        {
            _machine.Post(Pump);
            _world.RunUntil(_world.Scheduler.NowNs + (ns / RunSlices));
        }

        Pump();
    }

    /// <summary>Carries what waits on the connections, and no time passes.</summary>
    public void Pump()
    {
        foreach (ControlCaller caller in _callers)
        {
            caller.Pump();
        }
    }

    /// <summary>A connection of a node that a token let in: of a new node, or of the one with a number.</summary>
    public ControlCaller Connect(string token, int? node = null, string? name = null, string role = "node")
    {
        int number = node ?? ++_lastNode;
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = Shop,
            Role = role,
            Name = name ?? $"node-{number}",
            TokenId = token,
            NodeIdHigh = 1,
            NodeIdLow = (ulong)number,
        };
        var link = new InMemoryLinkPair(peer, new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        var caller = new ControlCaller(this, link) { Number = number };
        _callers.Add(caller);
        _host.OnLink(link.Left);
        return caller;
    }

    /// <summary>A connection that joined as a node: a member of the first application.</summary>
    public ControlCaller Join(string name) => Assert.Single(JoinAll(name));

    /// <summary>A node with a token of its own choice that joined, on a new connection of the node with a number or of a new one.</summary>
    public ControlCaller JoinAs(string token, string name, int? node = null)
    {
        ControlCaller caller = SendJoin(Connect(token, node), name);
        Run();
        Assert.Single(caller.Take<JoinAccepted>());
        return caller;
    }

    /// <summary>Members of the first application that come at once.</summary>
    public ControlCaller[] JoinAll(params string[] names)
    {
        ControlCaller[] nodes = [.. names.Select(name => SendJoin(Connect(Node), name))];
        Run();
        Assert.All(nodes, node => Assert.Single(node.Take<JoinAccepted>()));
        return nodes;
    }

    /// <summary>A node of before joins on a new connection.</summary>
    public ControlCaller JoinAgain(ControlCaller before, string name)
    {
        ControlCaller node = SendJoin(Connect(Node, before.Number), name);
        Run();
        Assert.Single(node.Take<JoinAccepted>());
        return node;
    }

    /// <summary>The join of a node that holds nothing.</summary>
    public Join JoinMessage(string name) => new(
        Ripple.Engine.Protocol.Joining.Join.CurrentVersion, "east", name, [], [Shop], _host.DataAddress, _host.ControlAddress, [], 0);

    /// <summary>Prepares what was held back.</summary>
    public void Prepare()
    {
        while (_preparations.TryDequeue(out Action? prepare))
        {
            prepare();
        }
    }

    /// <summary>Changes a token behind the host's back, as another program does; it knows some time later.</summary>
    public void Change(AccessTokenChange change)
    {
        _inner.Commit(new CommitBatch { Tokens = [change] }, result => Assert.True(result.IsDone));
        Run(1_000_000_000);
    }

    /// <summary>The same, up to the moment at which the host knows: it looks at its connections some time after.</summary>
    public void ChangeAndKnow(AccessTokenChange change)
    {
        bool isDone = false;
        _inner.Commit(new CommitBatch { Tokens = [change] }, result => isDone = result.IsDone);
        for (int i = 0; i < 1_000 && !(isDone && _host.TokensVersion == _inner.TokensVersion); i++)
        {
            Run(1_000_000);
        }

        Assert.True(isDone && _host.TokensVersion == _inner.TokensVersion, "The host did not look at its tokens.");
    }

    /// <summary>The host says goodbye to all.</summary>
    public void Stop()
    {
        _host.Stop("the test stops it");
        Run();
    }

    /// <summary>From now on the disk gives every value with a flipped bit, or none so.</summary>
    public void FlipValues(bool isFlipping) =>
        _disk.Break(new DiskFaults { FlipShare = isFlipping ? 1 : 0 }, new DeterministicRandom(1));

    /// <summary>The host dies and starts again on what its disk holds; connections are gone.</summary>
    public void Restart()
    {
        _callers.Clear();
        _machine.Crash();
        _inner.Crash();
        (_inner, Store, _host) = Start();
    }

    byte[] IKeySource.NewRegionKey() => new byte[16];

    byte[] IKeySource.NewMemberKey() => new byte[32];

    bool IPublishPreparer.TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done)
    {
        if (IsPreparerFull)
        {
            return false;
        }

        _preparations.Enqueue(() =>
        {
            PreparedPublish? prepared = PublishPreparation.Prepare(input, out Refusal? refusal);
            done(prepared, refusal);
        });
        if (!HoldsPreparations)
        {
            Prepare();
        }

        return true;
    }

    private ControlCaller SendJoin(ControlCaller node, string name)
    {
        ushort version = Ripple.Engine.Protocol.Joining.Join.CurrentVersion;
        node.Send(new Join(version, "east", name, [], [Shop], _host.DataAddress, _host.ControlAddress, [], 0));
        return node;
    }

    private static AccessTokenChange Token(string id, string application, AccessRole role) =>
        AccessTokenChange.Create(new AccessToken(id, new byte[32], AccessTokenGrant.For([application], role), 1, null, null), "test");

    private (SimulatedHostStore Inner, ScriptedStore Store, HostCore Host) Start()
    {
        _machine.Start();
        SimulatedHostStore inner = _disk.Open();
        HostState state = inner.Load();
        GmsStart start = GmsStart.Plan(state, UnixMicros);
        inner.Commit(start.Batch, result => Assert.True(result.IsDone));
        _world.RunUntil(_world.Scheduler.NowNs + RunNs);
        var store = new ScriptedStore(inner, action => _machine.Schedule(20_000, action));
        var context = new HostContext(
            _machine.Core, store, _authority.CreateSigner("host").OpenOn(_machine), _machine.Completions, this, _options, start.SlotEpoch)
        {
            Lease = this,
        };
        var ports = new HostPorts(_world.Network.Open(_machine), _world.Network.Open(_machine));
        var host = new HostCore(context, state, ports, this, this, new GmsEvents(null))
        {
            OnCommittedRelease = (_, header) => Committed.Add(header),
        };
        Committed.Clear();
        return (inner, store, host);
    }
}
