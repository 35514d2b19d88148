using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Testing.Network;
using Ripple.Testing.Signatures;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

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
    private readonly SortedDictionary<string, Digest160> _accepted = new(StringComparer.Ordinal);

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

    /// <summary>Called with each state put in effect.</summary>
    public Action<SimulatedClient, ApplicationState>? OnStateApplied { get; set; }

    /// <summary>The saved snapshot of an application; survives crashes.</summary>
    public ReplicaSnapshot? SavedOf(string application) => _saved.GetValueOrDefault(application);

    /// <summary>The newest release of a generation on its disk; 0 for none.</summary>
    public virtual ulong SavedPosition(uint generation) =>
        SavedOf(_options.Application)?.Received.Keys is { } saved && saved.Generation == generation ? saved.Release : 0;

    /// <summary>Whether the client itself accepted this state, in this or an earlier life.</summary>
    public virtual bool HasAccepted(ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(state);
        return _accepted.TryGetValue(state.Keys.Application, out Digest160 id) && id == state.Keys.Id;
    }

    void INodeHandler.OnJoined(LinkPeer self, JoinAccepted accepted) => Accepted = accepted;

    void INodeHandler.OnDisconnected(string reason, bool isRefusal)
    {
    }

    void INodeHandler.OnCandidate(ApplicationReplica replica, ApplicationState candidate, Action<string?> decide)
    {
        // A release is judged the same way in every life, as by a real validator.
        var chance = new DeterministicRandom(_world.Seed ^ candidate.Keys.Release ^ ((ulong)Machine.Index << 32));
        bool isRejected = chance.NextBool(RejectShare);
        ICompletionQueue completions = Machine.Completions;
        Machine.Schedule(10_000 + _random.NextInt64(5_000_000), () => completions.Complete(() =>
        {
            if (isRejected)
            {
                RejectedCount++;
            }
            else
            {
                _accepted[candidate.Keys.Application] = candidate.Keys.Id;
            }

            decide(isRejected ? "the simulated validator says no" : null);
        }));
    }

    void INodeHandler.OnApplied(ApplicationReplica replica, ApplicationState state) => NoteApplied(state);

    bool INodeHandler.TryPersist(ApplicationReplica replica, ReplicaSnapshot snapshot, Action<bool> done)
    {
        ICompletionQueue completions = Machine.Completions;
        Machine.Schedule(200_000 + _random.NextInt64(4_000_000), () =>
        {
            _saved[replica.Name] = snapshot;
            completions.Complete(() => done(true));
        });
        return true;
    }

    /// <summary>Counts a state put in effect, and tells of it.</summary>
    protected void NoteApplied(ApplicationState state)
    {
        AppliedCount++;
        OnStateApplied?.Invoke(this, state);
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
        var doors = new NodeDependencies(
            _world.Control.CreateConnector(Machine),
            ["host:7400"],
            data,
            _world.Network.Open(Machine),
            new SimulatedVerifier(Machine, _authority),
            this,
            _sharesWork ? _world.Share : null,
            new SimulatedGroups(_world.Network, Machine, GroupReach));
        foreach ((string application, ReplicaSnapshot snapshot) in _saved)
        {
            _accepted[application] = snapshot.Applied.Keys.Id;
        }

        Node = new Node(Machine.Core, _options, doors, _saved);
    }
}
