using Ripple.Engine.Releases;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// Sees what happens to one application at one node, keeps the record and has it judged. Called by the simulated process itself, and after
/// each of its turns.
/// </summary>
internal sealed class NodeWitness(
    SimulatedWorld world, NodeRecord record, EffectChecker effects, MembershipBook members) : IChecker
{
    private Func<ApplicationReplica?>? _replica;
    private ApplicationState? _seen;
    private bool _hasBegun;

    /// <summary>The record.</summary>
    public NodeRecord Record => record;

    /// <inheritdoc/>
    public string Name => "States";

    /// <summary>A process started.</summary>
    /// <param name="replica">The application at the process; null while the process has none yet.</param>
    public void OnStarted(Func<ApplicationReplica?> replica)
    {
        record.Start(world.Scheduler.NowNs);
        _replica = replica;
        _hasBegun = false;
    }

    /// <summary>The host's answer to the node's join is read: it may have come before a pause, of a process that has ended since.</summary>
    public void OnJoined(ulong incarnation, ulong hostIncarnation)
    {
        world.Trace?.Add(TraceKind.Joined, record.Machine, "joins");
        record.Join(new NodeSessionRecord(incarnation, world.Scheduler.NowNs, members.HostLifeOf(hostIncarnation)));
    }

    /// <summary>The node lost its connection or could not get one.</summary>
    public void OnDisconnected()
    {
        if (record.Session is not null)
        {
            world.Trace?.Add(TraceKind.Disconnected, record.Machine, "loses its connection");
        }

        record.Leave(world.Scheduler.NowNs, isByHost: record.Session is { } session && !members.IsHostAlive(session.HostLife));
    }

    /// <summary>The node's validators are asked.</summary>
    public void OnDeciding(ApplicationReplica replica, ApplicationState candidate)
    {
        ArgumentNullException.ThrowIfNull(replica);
        Look(replica);
        Trace(TraceKind.Deciding, "begins to decide on", candidate);
        effects.OnDeciding(record, candidate, replica.Received);
    }

    /// <summary>They answered, with a reason if they rejected.</summary>
    public void OnDecided(ApplicationState candidate, string? reason)
    {
        Trace(reason is null ? TraceKind.Accepted : TraceKind.Rejected, reason is null ? "accepts" : "rejects", candidate);
        effects.OnDecided(record, candidate, reason);
    }

    /// <summary>A state is in effect.</summary>
    public void OnApplied(ApplicationState state)
    {
        Trace(TraceKind.Applied, "applies", state);
        effects.OnApplied(record, state);
    }

    /// <summary>The configuration of the process shows a release.</summary>
    public void OnShown(string name, IEnumerable<KeyValuePair<string, ReadOnlyMemory<byte>>> values, bool isUnjudged) =>
        effects.OnShown(record, name, values, isUnjudged);

    /// <summary>The node's disk has a snapshot.</summary>
    public void OnPersisted(ReplicaSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        Trace(TraceKind.Persisted, "has on its disk", snapshot.Received);
        effects.OnPersisted(record, snapshot.Received);
    }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (record.IsAlive && _replica?.Invoke() is { } replica)
        {
            Look(replica);
        }
    }

    private void Look(ApplicationReplica replica)
    {
        if (!_hasBegun)
        {
            // What a process has before it was told anything is from its disk.
            _hasBegun = true;
            _seen = replica.Received;
            Trace(TraceKind.Received, "finds on its disk", replica.Received);
            Trace(TraceKind.Applied, "starts in effect with", replica.Applied);
            effects.OnStarted(record, replica.Applied, replica.Received);
        }
        else if (!ReferenceEquals(replica.Received, _seen))
        {
            _seen = replica.Received;
            Trace(TraceKind.Received, "has whole", replica.Received);
            effects.OnReceived(record, replica.Received);
        }
    }

    private void Trace(TraceKind kind, string did, ApplicationState state)
    {
        if (world.Trace is { } trace && state.Keys is { Release: > 0 } keys)
        {
            var release = new ReleaseLabel(keys.Generation, keys.Release, keys.Id.ToString());
            trace.Add(kind, record.Machine, $"{did} {release}", release);
        }
    }
}
