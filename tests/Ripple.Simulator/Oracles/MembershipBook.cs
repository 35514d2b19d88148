using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// Who was a member when each release was committed. A node is certain if its join was answered before the release was asked for (a host
/// binds a release to its members when it orders it, some time before it announces it), and since some time before the commit its process
/// lived, was neither paused nor cut off, and lost its connection only when the host's process ended. All others may or may not be members:
/// messages under way decide.
/// </summary>
/// <param name="world">The world.</param>
/// <param name="host">The host's machine.</param>
/// <param name="incarnation">The incarnation of the host that runs; null while none does.</param>
internal sealed class MembershipBook(SimulatedWorld world, SimulatedMachine host, Func<ulong?>? incarnation = null)
{
    /// <summary>
    /// The time before a commit in which nothing may have disturbed a member: longer than a keep-alive and the host's patience together.
    /// </summary>
    private const long MarginNs = 10_000_000_000;

    private readonly List<NodeRecord> _nodes = [];
    private readonly List<List<NodeRecord>> _byMachine = [];
    private readonly SortedDictionary<string, CommitRecord> _commits = new(StringComparer.Ordinal);
    private readonly SortedDictionary<Guid, long> _askedNs = [];

    /// <summary>All nodes.</summary>
    public IReadOnlyList<NodeRecord> Nodes => _nodes;

    /// <summary>The nodes of a machine, one an application; none for null.</summary>
    public IReadOnlyList<NodeRecord> At(SimulatedMachine? machine) =>
        machine is not null && machine.Index < _byMachine.Count ? _byMachine[machine.Index] : [];

    /// <summary>The nodes that receive an application.</summary>
    public IEnumerable<NodeRecord> Of(string application) => _nodes.Where(n => n.Application == application);

    /// <summary>The start of the host that runs, or ran last.</summary>
    public int HostLife => host.StartCount;

    /// <summary>The start of the host that had an incarnation: the present one, or one before it.</summary>
    public int HostLifeOf(ulong hostIncarnation) => incarnation?.Invoke() == hostIncarnation ? HostLife : HostLife - 1;

    /// <summary>Adds a node.</summary>
    public void Add(NodeRecord node)
    {
        ArgumentNullException.ThrowIfNull(node);
        _nodes.Add(node);
        while (_byMachine.Count <= node.Machine.Index)
        {
            _byMachine.Add([]);
        }

        _byMachine[node.Machine.Index].Add(node);
    }

    /// <summary>Whether the host runs.</summary>
    public bool IsHostReady => host.IsRunning;

    /// <summary>Whether the process of a start of the host still runs.</summary>
    public bool IsHostAlive(int life) => host.IsRunning && host.StartCount == life;

    /// <summary>Whether nothing has disturbed the host since a time.</summary>
    public bool IsHostQuietSince(long sinceNs) => world.Disturbances.IsQuietSince(host, sinceNs);

    /// <summary>Whether nothing has disturbed a node, nor cut it off, since a time.</summary>
    public bool IsQuietSince(NodeRecord node, long sinceNs) =>
        node.IsAlive && node.CutOffNs < Math.Max(1, sinceNs) && world.Disturbances.IsQuietSince(node.Machine, sinceNs);

    /// <summary>Whether that is so, and no host may have taken it for revoked since then.</summary>
    public bool IsCertainSince(NodeRecord node, long sinceNs) =>
        IsQuietSince(node, sinceNs) && (node.DoubtfulUntilNs == 0 || node.DoubtfulUntilNs < sinceNs);

    /// <summary>A token is being revoked: whether the change is durable is known later than a host may act on it.</summary>
    public void Doubt(SimulatedMachine machine, long untilNs)
    {
        foreach (NodeRecord node in At(machine))
        {
            node.DoubtfulUntilNs = untilNs;
        }
    }

    /// <summary>Called when a publish is sent, for the first time or again.</summary>
    public void OnAsked(Guid publish) => _askedNs.TryAdd(publish, world.Scheduler.NowNs);

    /// <summary>Called when a release is announced.</summary>
    public void OnCommitted(ModelRelease release)
    {
        long askedNs = _askedNs.GetValueOrDefault(release.Claim.Publish, long.MaxValue);
        _commits[release.Name] = new CommitRecord(
            release,
            HostLife,
            [.. _nodes.Where(n => IsMember(n, release.Claim.Application) && n.Session!.JoinedNs <= askedNs).Select(n => (n, n.Life))]);
    }

    /// <summary>The commit of a release; null if nobody saw it.</summary>
    public CommitRecord? Find(ModelRelease release) => _commits.GetValueOrDefault(release.Name);

    /// <summary>Whether an attacker has captured a node: what a ring tells need not be true then.</summary>
    public bool HasCaptured => _nodes.Exists(n => n.IsCaptured);

    /// <summary>The nodes that are certain, from before a commit until now.</summary>
    public IEnumerable<NodeRecord> Certain(CommitRecord commit)
    {
        ArgumentNullException.ThrowIfNull(commit);
        long sinceNs = Math.Max(1, commit.Release.CommittedNs - MarginNs);
        if (!IsHostQuietSince(sinceNs))
        {
            return [];
        }

        return commit.Members
            .Where(m => m.Node.Life == m.Life && !m.Node.IsCaptured && IsCertainSince(m.Node, sinceNs))
            .Select(m => m.Node);
    }

    /// <summary>A node may still believe in a membership that the host's end has ended.</summary>
    private bool IsMember(NodeRecord node, string application) =>
        node.Application == application && node.IsAlive && node.Session is { } session && IsHostAlive(session.HostLife);
}
