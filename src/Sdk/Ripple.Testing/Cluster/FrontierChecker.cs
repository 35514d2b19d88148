using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Testing.Checking;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariant 3: a row never goes backward and never exceeds the truth at its node, and a wait held only if every member bound to it had the
/// release.
/// </summary>
internal sealed class FrontierChecker(SimulatedWorld world, SimulatedCluster cluster) : IChecker
{
    private readonly SortedDictionary<(ulong Incarnation, uint Generation), (ulong Received, ulong Persisted, ulong Applied)> _rows = [];
    private readonly SortedDictionary<ulong, SimulatedClient> _byIncarnation = [];
    private long _version;
    private FrontierTable? _table;

    /// <inheritdoc/>
    public string Name => "Frontier";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (!ReferenceEquals(world.LastStepped, cluster.Host.Machine)
            || cluster.Host.Gms?.FrontierOf(SimulatedCluster.Application) is not { } frontier)
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

    /// <summary>Called when a wait for <c>MIN</c> of applied over all members has held.</summary>
    public void OnHeld(uint generation, ulong release)
    {
        if (cluster.Host.Gms?.FrontierOf(SimulatedCluster.Application)?.Table is not { } table || table.Generation != generation)
        {
            return;
        }

        // A member that joined after the release was committed is not bound to the wait; it is caught up before it counts in a later one.
        foreach (FrontierRow row in table.Rows.Where(r => !r.IsGone && r.Generation == generation))
        {
            if (_byIncarnation.TryGetValue(row.Member.Incarnation, out SimulatedClient? client)
                && IsAlive(client, row.Member.Incarnation)
                && WasMemberAt(client, generation, release)
                && AppliedOf(client, generation) < release)
            {
                world.Fail(Name, $"a wait for release {release} held while {client.Machine} has applied {AppliedOf(client, generation)}");
            }
        }
    }

    private static bool IsAlive(SimulatedClient client, ulong incarnation) =>
        client.Machine.IsRunning && client.Accepted?.Incarnation == incarnation;

    /// <summary>Whether the client joined before the release was committed.</summary>
    private static bool WasMemberAt(SimulatedClient client, uint generation, ulong release)
    {
        Engine.Protocol.Joining.TopicState? topic = client.Accepted!.Topics.FirstOrDefault(
            t => t.Application == SimulatedCluster.Application);
        return topic is not null && topic.Generation == generation && topic.Release < release;
    }

    private static ulong AppliedOf(SimulatedClient client, uint generation)
    {
        ReleaseState applied = client.Node!.Find(SimulatedCluster.Application)!.Applied.Keys;
        return applied.Generation == generation ? applied.Release : 0;
    }

    private void Check(FrontierRow row)
    {
        ulong incarnation = row.Member.Incarnation;
        (ulong Received, ulong Persisted, ulong Applied) now = (row.Received, row.Persisted, row.Applied);
        if (_rows.TryGetValue((incarnation, row.Generation), out (ulong Received, ulong Persisted, ulong Applied) before)
            && (now.Received < before.Received || now.Persisted < before.Persisted || now.Applied < before.Applied))
        {
            world.Fail(Name, $"the row of {row.Member.Name} went back from {before} to {now}");
        }

        _rows[(incarnation, row.Generation)] = now;
        if (row.IsGone || !_byIncarnation.TryGetValue(incarnation, out SimulatedClient? client) || !IsAlive(client, incarnation))
        {
            return;
        }

        ApplicationReplica replica = client.Node!.Find(SimulatedCluster.Application)!;
        ReleaseState received = replica.Received.Keys;
        if (received.Generation != row.Generation)
        {
            return;
        }

        ulong saved = client.SavedPosition(row.Generation);
        if (row.Received > received.Release || row.Applied > AppliedOf(client, row.Generation) || row.Persisted > saved)
        {
            world.Fail(
                Name,
                $"the row of {row.Member.Name} says {now}; true is received {received.Release}, saved up to {saved}, "
                    + $"applied {AppliedOf(client, row.Generation)}");
        }
    }
}
