using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Simulator.Network;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// The real node on a simulated machine. It decides on candidates after a delay, rejects some, saves the state in effect to a disk of its
/// own, and records the actual events for the checkers.
/// </summary>
internal class SimulatedClient : INodeHandler
{
    private readonly SimulatedWorld _world;
    private readonly SimulatedAuthority _authority;
    private readonly NodeOptions _options;
    private readonly bool _sharesWork;
    private readonly DeterministicRandom _random;
    private readonly SortedDictionary<string, ReplicaSnapshot> _saved = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, NodeWitness> _witnesses = new(StringComparer.Ordinal);

    private SimulatedVerifier? _verifier;

    /// <summary>Creates a client that starts with the machine.</summary>
    public SimulatedClient(SimulatedWorld world, SimulatedMachine machine, SimulatedAuthority authority, NodeOptions options)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(machine);
        _world = world;
        Machine = machine;
        _authority = authority;
        _options = options;
        // Most worlds contain both kinds of nodes: those that share work with others, and those that do all of it themselves.
        _sharesWork = world.Machines.Count % 2 == 0;
        _random = world.Random.Fork(100 + (ulong)machine.Index);
        machine.OnStart = _ => Start();
    }

    /// <summary>The machine.</summary>
    public SimulatedMachine Machine { get; }

    /// <summary>The node currently running, or the last one that ran.</summary>
    public Node? Node { get; protected set; }

    /// <summary>The address at which it receives data; null before the first start.</summary>
    public NodeAddress? DataAddress { get; protected set; }

    /// <summary>The host's answer to the last join; null from each start until the node has joined.</summary>
    public JoinAccepted? Accepted { get; protected set; }

    /// <summary>How long a verification takes. Default 62 us.</summary>
    public long VerifyNs { get; init; } = 62_000;

    /// <summary>The share of releases it rejects. Default 0.</summary>
    public double RejectShare { get; init; }

    /// <summary>
    /// How multicast reaches the client, from its next start on. Default <see cref="GroupReach.Whole"/>; no effect if the host has no
    /// groups.
    /// </summary>
    public GroupReach GroupReach { get; set; } = GroupReach.Whole;

    /// <summary>The number of states put in effect.</summary>
    public long AppliedCount { get; private set; }

    /// <summary>The number of candidates rejected.</summary>
    public long RejectedCount { get; protected set; }

    /// <summary>The applications it receives: its own, and those it has an interest in.</summary>
    public IEnumerable<string> Applications => _options.Interest.Prepend(_options.Application).Distinct(StringComparer.Ordinal);

    /// <summary>Its name, zone and labels.</summary>
    public NodeOptions Options => _options;

    /// <summary>Those who see what happens to its applications, in the order of the applications' names.</summary>
    protected IEnumerable<NodeWitness> Witnesses => _witnesses.Values;

    /// <summary>A client with which it shares the memory of verified ids, as in one process; null (the default) for none.</summary>
    public SimulatedClient? SharesVerifierWith { get; set; }

    /// <summary>Called with each state put in effect.</summary>
    public Action<ApplicationState>? OnStateApplied { get; set; }

    /// <summary>Whether an attacker has its key and its identity.</summary>
    public bool IsCaptured { get; private set; }

    /// <summary>Whether its program ended itself last, because its start failed.</summary>
    public virtual bool HasFailedToStart => false;

    /// <summary>An attacker has its key and its identity from now on.</summary>
    public void Capture()
    {
        IsCaptured = true;
        foreach (NodeWitness witness in Witnesses)
        {
            witness.Record.IsCaptured = true;
        }
    }

    /// <summary>Called when a process has started.</summary>
    public Action? OnStarted { get; set; }

    /// <summary>Called when the node has joined.</summary>
    public Action? OnJoined { get; set; }

    /// <summary>Called when the process begins to save.</summary>
    public Action? OnSaving { get; set; }

    /// <summary>The saved snapshot of an application; survives crashes.</summary>
    public ReplicaSnapshot? SavedOf(string application) => _saved.GetValueOrDefault(application);

    /// <summary>The newest release of a generation on its disk; 0 for none.</summary>
    public ulong SavedPosition(uint generation) => SavedPosition(_options.Application, generation);

    /// <summary>The newest release of an application and a generation on its disk; 0 for none.</summary>
    public virtual ulong SavedPosition(string application, uint generation) =>
        SavedOf(application)?.Received.Keys is { } saved && saved.Generation == generation ? saved.Release : 0;

    /// <summary>The zone and the applications by which it belongs to a region.</summary>
    public string RegionWords => $"{_options.Zone}: {string.Join(' ', Applications.Order(StringComparer.Ordinal))}";

    /// <summary>Whether it keeps a key of an application.</summary>
    public bool Wants(string application, string key) => _options.IsWanted?.Invoke(application, key) ?? true;

    /// <summary>Lets a witness see what happens to its application.</summary>
    public void Show(NodeWitness witness)
    {
        ArgumentNullException.ThrowIfNull(witness);
        _witnesses[witness.Record.Application] = witness;
    }

    /// <summary>Null if its validators accept a release; otherwise the reason.</summary>
    public string? VerdictOn(ulong release) => Verdicts.ReasonOf(_world.Seed, Machine.Index, RejectShare, release);

    void INodeHandler.OnJoined(LinkPeer self, JoinAccepted accepted)
    {
        Accepted = accepted;
        TellJoined(accepted);
        OnJoined?.Invoke();
    }

    void INodeHandler.OnDisconnected(string reason, bool isRefusal) => TellDisconnected(reason, isRefusal);

    void INodeHandler.OnRefused(string application, IntakeRefusal refusal)
    {
        // Only told, and counted by the node.
    }

    void INodeHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
    {
        WitnessOf(replica.Name)?.OnDeciding(replica, candidate);
        string? reason = VerdictOn(candidate.Keys.Release);
        ICompletionQueue completions = Machine.Completions;
        Machine.Schedule(10_000 + _random.NextInt64(5_000_000), () => completions.Complete(() =>
        {
            RejectedCount += reason is null ? 0 : 1;
            WitnessOf(replica.Name)?.OnDecided(candidate, reason);
            decide(reason);
        }));
    }

    void INodeHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => NoteApplied(replica.Name, state);

    bool INodeHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
    {
        OnSaving?.Invoke();
        ICompletionQueue completions = Machine.Completions;
        Machine.Schedule(200_000 + _random.NextInt64(4_000_000), () =>
        {
            _saved[replica.Name] = snapshot;
            WitnessOf(replica.Name)?.OnPersisted(snapshot);
            completions.Complete(() => done(true));
        });
        return true;
    }

    /// <summary>What the world knows of an application at this client; null when nobody looks.</summary>
    public NodeRecord? RecordOf(string application) => WitnessOf(application)?.Record;

    /// <summary>Counts a state put in effect, and shows it to the witness.</summary>
    protected void NoteApplied(string application, ApplicationState state)
    {
        AppliedCount++;
        WitnessOf(application)?.OnApplied(state);
        OnStateApplied?.Invoke(state);
    }

    /// <summary>The witness of an application; null when nobody looks.</summary>
    protected NodeWitness? WitnessOf(string application) => _witnesses.GetValueOrDefault(application);

    /// <summary>Tells the witnesses of a new process.</summary>
    protected void TellStarted(Func<Node?> node)
    {
        foreach (NodeWitness witness in Witnesses)
        {
            witness.OnStarted(() => node()?.Find(witness.Record.Application));
        }
    }

    /// <summary>Tells the witnesses that the node is a member.</summary>
    protected void TellJoined(JoinAccepted accepted)
    {
        foreach (NodeWitness witness in Witnesses)
        {
            witness.OnJoined(accepted.Incarnation, accepted.HostIncarnation);
        }
    }

    /// <summary>Tells the witnesses that the node is no member, for a reason in words.</summary>
    /// <param name="reason">Why.</param>
    /// <param name="isRefusal">Whether the node takes it for a refusal, which trying again does not end.</param>
    protected void TellDisconnected(string reason, bool isRefusal)
    {
        ArgumentNullException.ThrowIfNull(reason);
        if (Enum.TryParse(reason.Split(':')[0], out ErrorCode code) && isRefusal == (code == ErrorCode.Busy))
        {
            _world.Fail("Words", $"{Machine} takes '{reason}' for {(isRefusal ? "a" : "no")} refusal", Machine);
        }

        if (reason.Length == 0 || reason.TrimEnd().EndsWith(':'))
        {
            _world.Fail("Words", $"{Machine} is no member because of '{reason}', which says nothing", Machine);
        }

        foreach (NodeWitness witness in Witnesses)
        {
            witness.OnDisconnected();
        }
    }

    /// <summary>Forgets the last process.</summary>
    protected void Forget()
    {
        Accepted = null;
        Node = null;
    }

    /// <summary>Builds the process on the machine's core.</summary>
    protected virtual void Start()
    {
        Accepted = null;
        SimulatedPort data = _world.Network.Open(Machine);
        DataAddress = data.LocalAddress;
        _verifier = new SimulatedVerifier(Machine, _authority, VerifyNs) { Other = () => SharesVerifierWith?._verifier };
        var doors = new NodeDependencies(
            _world.Control.CreateConnector(Machine),
            ["host:7400"],
            data,
            _world.Network.Open(Machine),
            _verifier,
            this,
            _sharesWork ? _world.Share : null,
            new SimulatedGroups(_world.Network, Machine, GroupReach));
        Node = null;
        TellStarted(() => Node);
        Node = new Node(Machine.Core, _options, doors, _saved);
        OnStarted?.Invoke();
    }
}
