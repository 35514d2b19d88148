using Ripple.Engine.Releases;
using Ripple.Testing.Checking;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

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

    /// <summary>The host's answer to the node's join arrived.</summary>
    public void OnJoined(ulong incarnation) =>
        record.Join(new NodeSessionRecord(incarnation, world.Scheduler.NowNs, members.HostLife));

    /// <summary>The node lost its connection or could not get one.</summary>
    public void OnDisconnected() =>
        record.Leave(world.Scheduler.NowNs, isByHost: record.Session is { } session && !members.IsHostAlive(session.HostLife));

    /// <summary>The node's validators are asked.</summary>
    public void OnDeciding(ApplicationReplica replica, ApplicationState candidate)
    {
        ArgumentNullException.ThrowIfNull(replica);
        Look(replica);
        effects.OnDeciding(record, candidate, replica.Received);
    }

    /// <summary>They answered.</summary>
    public void OnDecided(ApplicationState candidate, bool isAccepted) => effects.OnDecided(record, candidate, isAccepted);

    /// <summary>A state is in effect.</summary>
    public void OnApplied(ApplicationState state) => effects.OnApplied(record, state);

    /// <summary>The node's disk has a snapshot.</summary>
    public void OnPersisted(ReplicaSnapshot snapshot) => effects.OnPersisted(record, snapshot.Received);

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (ReferenceEquals(world.LastStepped, record.Machine) && record.IsAlive && _replica?.Invoke() is { } replica)
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
            effects.OnStarted(record, replica.Applied, replica.Received);
        }
        else if (!ReferenceEquals(replica.Received, _seen))
        {
            _seen = replica.Received;
            effects.OnReceived(record, replica.Received);
        }
    }
}
