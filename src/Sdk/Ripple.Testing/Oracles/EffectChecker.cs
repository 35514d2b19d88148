using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// What a node has and puts in effect: committed releases with the published bytes, accepted by its validators, in order. With
/// <see cref="Judges.Superseded"/>, no release whose successor was whole here before the node began to decide, but by one that rejected the
/// newest and has none of its generation in effect: it may start from an earlier one.
/// </summary>
internal sealed class EffectChecker(SimulatedWorld world, ReleaseModel model, Judges judges)
{
    private const string Name = "States";
    private const string SupersededName = "Superseded";
    private readonly SortedDictionary<(int, string), (ModelRelease Candidate, ModelRelease Newest)> _superseded = [];
    private readonly SortedDictionary<(int, string), ModelRelease> _past = [];

    /// <summary>How often a node put an earlier release in effect, because it rejected the newest and had none.</summary>
    public long PastCount { get; private set; }

    /// <summary>Called when a process starts, with what it takes from its disk.</summary>
    public void OnStarted(NodeRecord node, ApplicationState applied, ApplicationState received)
    {
        ArgumentNullException.ThrowIfNull(node);
        _superseded.Remove((node.Machine.Index, node.Application));
        _past.Remove((node.Machine.Index, node.Application));
        if (TryKnow(node, received, "restored", comparesBytes: true) is { } whole)
        {
            node.Reach(world.Scheduler.NowNs, NodeLevel.Received, whole);
            node.Reach(world.Scheduler.NowNs, NodeLevel.Persisted, whole);
        }

        if (TryKnow(node, applied, "put in effect at its start", comparesBytes: true) is { } release)
        {
            // A process that starts shows the last values its own validators accepted, and nothing newer.
            if (!node.HasAccepted(release))
            {
                world.Fail(Name, $"{node} started with {release} in effect, which its validators never accepted");
            }

            node.Reach(world.Scheduler.NowNs, NodeLevel.Applied, release);
        }
    }

    /// <summary>Called when a node has a newer release whole.</summary>
    public void OnReceived(NodeRecord node, ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (TryKnow(node, state, "received", comparesBytes: true) is { } release)
        {
            node.Reach(world.Scheduler.NowNs, NodeLevel.Received, release);
        }
    }

    /// <summary>Called when a node's validators are asked about a release.</summary>
    public void OnDeciding(NodeRecord node, ApplicationState candidate, ApplicationState newest)
    {
        ArgumentNullException.ThrowIfNull(node);
        (int, string) key = (node.Machine.Index, node.Application);
        _superseded.Remove(key);
        _past.Remove(key);
        if (TryKnow(node, candidate, "began to decide on") is not { } older
            || TryKnow(node, newest, "received") is not { } newer
            || !older.IsBefore(newer))
        {
            return;
        }

        if (older.Generation == newer.Generation
            && node.At(NodeLevel.Applied)?.Generation != newer.Generation
            && node.HasRejected(newer.Generation, newer.Release))
        {
            _past[key] = older;
        }
        else
        {
            _superseded[key] = (older, newer);
        }
    }

    /// <summary>Called when they answered: with a reason if they rejected, or if they did not answer in time.</summary>
    public void OnDecided(NodeRecord node, ApplicationState candidate, string? reason)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (TryKnow(node, candidate, "decided on") is not { } release)
        {
            return;
        }

        bool isLate = reason?.Contains("did not answer within", StringComparison.Ordinal) == true;
        string? verdict = node.VerdictOn(release.Release);
        if (reason is not null && !isLate && (verdict is null || !reason.Contains(verdict, StringComparison.Ordinal)))
        {
            world.Fail(Name, $"{node} rejected {release} for '{reason}'; its validators say '{verdict}'");
        }

        node.Decide(world.Scheduler.NowNs, release, reason);
    }

    /// <summary>Called when a node puts a state in effect.</summary>
    public void OnApplied(NodeRecord node, ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (TryKnow(node, state, "applied", comparesBytes: true) is not { } release)
        {
            return;
        }

        if (!node.HasAccepted(release) || node.VerdictOn(release.Release) is not null)
        {
            world.Fail(Name, $"{node} applied {release}, which its validators had not accepted");
        }

        if (node.At(NodeLevel.Applied) is { } last && !last.IsBefore(release))
        {
            world.Fail(Name, $"{node} applied {release} after {last}");
        }

        if ((judges & Judges.Superseded) != 0
            && _superseded.TryGetValue((node.Machine.Index, node.Application), out (ModelRelease Candidate, ModelRelease Newest) superseded)
            && superseded.Candidate.Name == release.Name)
        {
            world.Fail(SupersededName, $"{node} applied {release}; {superseded.Newest} was whole there before it began to decide");
        }

        if (_past.TryGetValue((node.Machine.Index, node.Application), out ModelRelease? past) && past.Name == release.Name)
        {
            PastCount++;
        }

        node.Reach(world.Scheduler.NowNs, NodeLevel.Applied, release);
    }

    /// <summary>Called when the configuration of a process shows a release.</summary>
    /// <param name="node">The node.</param>
    /// <param name="name">The release's name.</param>
    /// <param name="values">What the configuration shows, as bytes.</param>
    /// <param name="isUnjudged">Whether the process has not built its services, which validate, and takes it for not in effect.</param>
    public void OnShown(
        NodeRecord node, string name, IEnumerable<KeyValuePair<string, ReadOnlyMemory<byte>>> values, bool isUnjudged)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (model.Of(node.Application).Find(name) is not { } release)
        {
            world.Fail(Name, $"the configuration of {node} shows {name}, which the host never committed");
            return;
        }

        // Who builds the services of a process that has accepted nothing yet may see what is newest; it is not in effect.
        bool isFirst = isUnjudged && node.At(NodeLevel.Applied) is null;
        if (!isFirst && node.VerdictOn(release.Release) is not null)
        {
            world.Fail(Name, $"{node} applied {release}, which its validators had not accepted: its configuration shows it");
        }

        if (release.Difference(values) is { } difference)
        {
            world.Fail(Name, $"the configuration of {node} shows {release}: {difference}");
        }
    }

    /// <summary>Called when a node's disk has what it received.</summary>
    public void OnPersisted(NodeRecord node, ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (TryKnow(node, state, "persisted") is { } release)
        {
            node.Reach(world.Scheduler.NowNs, NodeLevel.Persisted, release);
        }
    }

    /// <summary>The release of a state; null before the first release.</summary>
    private ModelRelease? TryKnow(NodeRecord node, ApplicationState state, string did, bool comparesBytes = false)
    {
        ReleaseState keys = state.Keys;
        if (keys.Release == 0)
        {
            return null;
        }

        if (model.Of(node.Application).Find(keys.Id.ToString()) is not { } release)
        {
            world.Fail(Name, $"{node} {did} {keys.Generation}/{keys.Release} {keys.Id}, which the host never committed");
            return null;
        }

        if (release.Generation != keys.Generation || release.Release != keys.Release)
        {
            world.Fail(Name, $"{node} {did} {keys.Generation}/{keys.Release}, which is {release}");
        }

        if (comparesBytes && release.Difference(state.Values, node.Wants) is { } difference)
        {
            world.Fail(Name, $"{node} {did} {release}: {difference}");
        }

        return release;
    }
}
