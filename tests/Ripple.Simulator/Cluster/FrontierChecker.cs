using System.Runtime.InteropServices;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// Invariant 3: a row never goes backward and never exceeds the truth at its node.
/// </summary>
internal sealed class FrontierChecker(SimulatedWorld world, SimulatedCluster cluster, string application) : IChecker
{
    // Looked up for each row after each change, and never gone through: no order comes from them.
    private readonly Dictionary<(ulong Incarnation, uint Generation), Levels> _rows = [];
    private readonly Dictionary<ulong, SimulatedClient> _byIncarnation = [];
    private readonly JoinAccepted?[] _accepted = new JoinAccepted?[cluster.Clients.Count];
    private long _version;
    private FrontierTable? _table;

    /// <inheritdoc/>
    public string Name => "Frontier";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (cluster.Host.Gms?.FrontierOf(application) is not { } frontier)
        {
            return;
        }

        if (ReferenceEquals(frontier.Table, _table) && frontier.Table.Version == _version)
        {
            return;
        }

        if (!ReferenceEquals(frontier.Table, _table))
        {
            // The host has restarted: its rows start over, and a restored host may reuse incarnations until it learns of the later ones.
            _rows.Clear();
            _byIncarnation.Clear();
            Array.Clear(_accepted);
        }

        _table = frontier.Table;
        _version = frontier.Table.Version;
        for (int i = 0; i < _accepted.Length; i++)
        {
            if (cluster.Clients[i].Accepted is { } accepted && !ReferenceEquals(accepted, _accepted[i]))
            {
                _accepted[i] = accepted;
                _byIncarnation[accepted.Incarnation] = cluster.Clients[i];
            }
        }

        foreach (FrontierRow row in frontier.Table.Rows)
        {
            Check(row);
        }
    }

    private static bool IsAlive(SimulatedClient client, ulong incarnation) =>
        client.Machine.IsRunning && client.Accepted?.Incarnation == incarnation;

    private static ulong AppliedOf(ApplicationReplica replica, uint generation) =>
        replica.Applied.Keys is { } applied && applied.Generation == generation ? applied.Release : 0;

    private void Check(FrontierRow row)
    {
        ulong incarnation = row.Member.Incarnation;
        // Where members lie, the ring's word is worth nothing, and one that is captured lies about itself.
        Levels now = cluster.Attacker is not null
            ? new Levels(row.DirectReceived, row.DirectPersisted, row.DirectApplied)
            : new Levels(row.Received, row.Persisted, row.Applied);
        ref Levels known = ref CollectionsMarshal.GetValueRefOrAddDefault(_rows, (incarnation, row.Generation), out _);
        Levels before = known;
        known = now;
        if (now.Received < before.Received || now.Persisted < before.Persisted || now.Applied < before.Applied)
        {
            world.Fail(
                Name,
                $"the row of {row.Member.Name} went back from {before} to {now}",
                _byIncarnation.GetValueOrDefault(incarnation)?.Machine);
        }

        if (row.IsGone
            || !_byIncarnation.TryGetValue(incarnation, out SimulatedClient? client)
            || client.IsCaptured
            || !IsAlive(client, incarnation))
        {
            return;
        }

        ApplicationReplica replica = client.Node!.Find(application)!;
        ReleaseState received = replica.Received.Keys;
        if (received.Generation != row.Generation)
        {
            return;
        }

        ulong saved = client.SavedPosition(application, row.Generation);
        if (now.Received > received.Release || now.Applied > AppliedOf(replica, row.Generation) || now.Persisted > saved)
        {
            world.Fail(
                Name,
                $"the row of {row.Member.Name} says {now}; true is received {received.Release}, saved up to {saved}, "
                    + $"applied {AppliedOf(replica, row.Generation)}",
                client.Machine);
        }
    }

    private readonly record struct Levels(ulong Received, ulong Persisted, ulong Applied)
    {
        public override string ToString() => $"({Received}, {Persisted}, {Applied})";
    }
}
