using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Testing.Checking;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariant 3: a row never goes backward and never exceeds the truth at its node.
/// </summary>
internal sealed class FrontierChecker(SimulatedWorld world, SimulatedCluster cluster, string application) : IChecker
{
    // Looked up for each row after each change, and never gone through: no order comes from them.
    private readonly Dictionary<(ulong Incarnation, uint Generation), (ulong Received, ulong Persisted, ulong Applied)> _rows = [];
    private readonly Dictionary<ulong, SimulatedClient> _byIncarnation = [];
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
        }

        _table = frontier.Table;
        _version = frontier.Table.Version;
        foreach (SimulatedClient client in cluster.Clients)
        {
            if (client.Accepted is { } accepted)
            {
                _byIncarnation[accepted.Incarnation] = client;
            }
        }

        foreach (FrontierRow row in frontier.Table.Rows)
        {
            Check(row);
        }
    }

    private static bool IsAlive(SimulatedClient client, ulong incarnation) =>
        client.Machine.IsRunning && client.Accepted?.Incarnation == incarnation;

    private ulong AppliedOf(SimulatedClient client, uint generation)
    {
        ReleaseState applied = client.Node!.Find(application)!.Applied.Keys;
        return applied.Generation == generation ? applied.Release : 0;
    }

    private void Check(FrontierRow row)
    {
        ulong incarnation = row.Member.Incarnation;
        // Where members lie, the ring's word is worth nothing, and one that is captured lies about itself.
        (ulong Received, ulong Persisted, ulong Applied) now = cluster.Attacker is not null
            ? (row.DirectReceived, row.DirectPersisted, row.DirectApplied)
            : (row.Received, row.Persisted, row.Applied);
        if (_rows.TryGetValue((incarnation, row.Generation), out (ulong Received, ulong Persisted, ulong Applied) before)
            && (now.Received < before.Received || now.Persisted < before.Persisted || now.Applied < before.Applied))
        {
            world.Fail(
                Name,
                $"the row of {row.Member.Name} went back from {before} to {now}",
                _byIncarnation.GetValueOrDefault(incarnation)?.Machine);
        }

        _rows[(incarnation, row.Generation)] = now;
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
        if (now.Received > received.Release || now.Applied > AppliedOf(client, row.Generation) || now.Persisted > saved)
        {
            world.Fail(
                Name,
                $"the row of {row.Member.Name} says {now}; true is received {received.Release}, saved up to {saved}, "
                    + $"applied {AppliedOf(client, row.Generation)}",
                client.Machine);
        }
    }
}
