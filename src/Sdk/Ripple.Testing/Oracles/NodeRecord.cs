using Ripple.Testing.Checking;
using Ripple.Testing.Oracles.Predicates;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// One application at one node as the world sees it: its lives, its sessions, and when each release was received, persisted, decided and in
/// effect there. Levels are those of the present life.
/// </summary>
internal sealed class NodeRecord(SimulatedMachine machine, string application, Func<ulong, string?> verdict) : IViolationSubject
{
    private const int RingReasonCharsMin = 78;
    private readonly List<(long Ns, uint Generation, ulong Release)>[] _levels = [[], [], []];
    private readonly ModelRelease?[] _at = new ModelRelease?[3];
    private readonly SortedSet<string> _accepted = new(StringComparer.Ordinal);
    private readonly SortedSet<(uint Generation, ulong Release)> _rejected = [];
    private readonly List<(long Ns, uint Generation, ulong Release)> _rejections = [];
    private readonly HashSet<(uint Generation, ulong Release, string Reason)> _reasons = [];
    private readonly SortedDictionary<(NodeLevel Level, uint Generation), ulong> _ever = [];

    /// <summary>The machine.</summary>
    public SimulatedMachine Machine => machine;

    /// <summary>The application.</summary>
    public string Application => application;

    /// <summary>Whether an attacker has its key and its identity: what is said in its name need not be true. Default false.</summary>
    public bool IsCaptured { get; set; }

    /// <summary>
    /// Whether its program ended itself last, because its start failed: it rejects what there is, and has accepted nothing. Default never.
    /// </summary>
    public Func<bool> HasFailedToStart { get; init; } = () => false;

    /// <summary>Whether the node keeps a key of the application. Default all.</summary>
    public Func<string, bool> Wants { get; init; } = _ => true;

    /// <summary>The node as predicates select it.</summary>
    public PredicateMember Member { get; init; } = new(machine.Name, machine.Zone, false, []);

    /// <summary>The start of the machine that the record is about; 0 before the first.</summary>
    public int Life { get; private set; }

    /// <summary>When the present process started.</summary>
    public long StartedNs { get; private set; }

    /// <summary>The present membership; null while the node is in none.</summary>
    public NodeSessionRecord? Session { get; private set; }

    /// <summary>The last time that the node lost its connection though the host lived; 0 for never.</summary>
    public long CutOffNs { get; private set; }

    /// <summary>Until when nobody is certain that it is a member, because its token is being revoked; 0 for never.</summary>
    public long DoubtfulUntilNs { get; set; }

    /// <summary>Whether the process of the record still runs.</summary>
    public bool IsAlive => machine.IsRunning && machine.StartCount == Life;

    /// <summary>The newest release at a level; null for none.</summary>
    public ModelRelease? At(NodeLevel level) => _at[(int)level];

    /// <summary>Null if the node's validators accept a release; otherwise the reason.</summary>
    public string? VerdictOn(ulong release) => verdict(release);

    /// <summary>Whether the validators of the node accepted a release, in any life.</summary>
    public bool HasAccepted(ModelRelease release) => _accepted.Contains(release.Name);

    /// <summary>Whether the validators rejected a release number of a generation, in any life.</summary>
    public bool HasRejected(uint generation, ulong release) => _rejected.Contains((generation, release));

    /// <summary>Whether a rejection of a release number of a generation was given this reason, in any life.</summary>
    public bool HasGiven(uint generation, ulong release, string reason) => _reasons.Contains((generation, release, reason));

    /// <summary>
    /// Whether a rejection of a release number of a generation was given a reason that begins so, as far as a ring brings it.
    /// </summary>
    public bool HasBegun(uint generation, ulong release, string beginning) => beginning.Length >= RingReasonCharsMin
        && _reasons.Any(r =>
            r.Generation == generation && r.Release == release && r.Reason.StartsWith(beginning, StringComparison.Ordinal));

    /// <summary>
    /// When the node reached a release at a level, or a later one of the generation, in its present life; <see cref="long.MaxValue"/> for
    /// never.
    /// </summary>
    public long ReachedNs(NodeLevel level, uint generation, ulong release)
    {
        foreach ((long ns, uint g, ulong r) in _levels[(int)level])
        {
            if (g == generation && r >= release)
            {
                return ns;
            }
        }

        return long.MaxValue;
    }

    /// <summary>The highest release of a generation that the node ever reached at a level, in any life; 0 for none.</summary>
    public ulong EverReached(NodeLevel level, uint generation) => _ever.GetValueOrDefault((level, generation));

    /// <summary>The release number the node had reached in a generation at a time; 0 for none.</summary>
    public ulong ReachedAt(NodeLevel level, uint generation, long atNs)
    {
        ulong reached = 0;
        foreach ((long ns, uint g, ulong r) in _levels[(int)level])
        {
            reached = g == generation && ns <= atNs ? Math.Max(reached, r) : reached;
        }

        return reached;
    }

    /// <summary>A process started with what it had saved.</summary>
    public void Start(long nowNs)
    {
        Life = machine.StartCount;
        StartedNs = nowNs;
        Session = null;
        CutOffNs = 0;
        _rejections.Clear();
        for (int level = 0; level < _levels.Length; level++)
        {
            _levels[level].Clear();
            _at[level] = null;
        }
    }

    /// <summary>The newest release of a generation that the node had rejected at a time, in its present session; 0 for none.</summary>
    public ulong RejectedAt(uint generation, long atNs) =>
        _rejections.Where(r => r.Generation == generation && r.Ns <= atNs && r.Ns >= Session?.JoinedNs)
            .Select(r => r.Release)
            .DefaultIfEmpty()
            .Max();

    /// <summary>The node is a member.</summary>
    public void Join(NodeSessionRecord session) => Session = session;

    /// <summary>The node is no member any more.</summary>
    /// <param name="nowNs">The time.</param>
    /// <param name="isByHost">True if the host's process had ended, so that nobody took the node for gone.</param>
    public void Leave(long nowNs, bool isByHost)
    {
        if (Session is not null && !isByHost)
        {
            CutOffNs = nowNs;
        }

        Session = null;
    }

    /// <summary>A level moved.</summary>
    public void Reach(long nowNs, NodeLevel level, ModelRelease release)
    {
        _at[(int)level] = release;
        _levels[(int)level].Add((nowNs, release.Generation, release.Release));
        (NodeLevel, uint) key = (level, release.Generation);
        _ever[key] = Math.Max(_ever.GetValueOrDefault(key), release.Release);
    }

    /// <summary>The validators decided; with a reason if they rejected.</summary>
    public void Decide(long nowNs, ModelRelease release, string? reason)
    {
        if (reason is null)
        {
            _accepted.Add(release.Name);
        }
        else
        {
            _rejected.Add((release.Generation, release.Release));
            _reasons.Add((release.Generation, release.Release, reason));
            _rejections.Add((nowNs, release.Generation, release.Release));
        }
    }

    /// <inheritdoc/>
    public override string ToString() => $"{machine.Name} of {application}";

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddMachine(machine.Name);
}
