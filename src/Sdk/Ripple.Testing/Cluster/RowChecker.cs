using Ripple.Engine.Frontier;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Testing.Oracles;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// After the quiet period the host's rows are exactly the truth: one for each node that is there, heard, with the levels, by the ring and
/// directly, that the node has, and the rejection that its validators made last.
/// </summary>
internal sealed class RowChecker(SimulatedWorld world, SimulatedCluster cluster)
{
    /// <summary>How long a node may count as silent that answered too late once, or whose answer was lost.</summary>
    public const long SilenceNsMax = 2_000_000_000;

    private const string Name = "Rows";
    private const byte Present = 0;
    private const byte Silent = 1;
    private readonly HashSet<ulong> _silent = [];

    /// <summary>Called <see cref="SilenceNsMax"/> before the end: who is silent now must be heard by then.</summary>
    public void LookBeforeEnd()
    {
        foreach (string application in cluster.Oracles.Members.Nodes.Select(n => n.Application).Distinct())
        {
            IEnumerable<StatusRow> rows = cluster.Host.Gms?.FrontierOf(application)?.Rows() ?? [];
            _silent.UnionWith(rows.Where(r => r.State == Silent).Select(r => r.Incarnation));
        }
    }

    /// <summary>Called at the end of the quiet period.</summary>
    public void CheckEnd()
    {
        // Who ends itself, for it accepts nothing that there is, is a member for moments at a time.
        foreach (NodeRecord node in cluster.Oracles.Members.Nodes.Where(n => !n.IsCaptured && !n.HasFailedToStart()))
        {
            SimulatedClient client = cluster.Clients.First(c => c.Machine == node.Machine);
            ulong id = client.Machine.Peer.NodeIdLow;
            FrontierRow[] rows =
            [
                .. cluster.Host.Gms!.FrontierOf(node.Application)!.Table.Rows
                    .Where(r => !r.IsGone && !r.Member.IsHost && r.Member.Node.Low == id),
            ];
            if (rows.Length != 1)
            {
                world.Fail(Name, $"at the end the host has {rows.Length} rows of {node} that are not gone", node);
            }

            CheckLevels(client, node, rows[0]);
            ulong incarnation = rows[0].Member.Incarnation;
            CheckStatus(node, cluster.Host.Gms.FrontierOf(node.Application)!.Rows().Single(r => r.Incarnation == incarnation));
        }
    }

    private void CheckLevels(SimulatedClient client, NodeRecord node, FrontierRow row)
    {
        ApplicationReplica replica = client.Node!.Find(node.Application)!;
        uint generation = replica.Received.Keys.Generation;
        var told = (row.Generation, row.Received, row.Persisted, row.Applied);
        var direct = (row.Generation, row.DirectReceived, row.DirectPersisted, row.DirectApplied);
        (uint, ulong, ulong, ulong) truth = (
            generation,
            replica.Received.Keys.Release,
            client.SavedPosition(node.Application, generation),
            replica.Applied.Keys.Generation == generation ? replica.Applied.Keys.Release : 0);
        if (told != truth || direct != truth)
        {
            world.Fail(Name, $"at the end the host says of {node} {told}, directly {direct}; true is {truth}", node);
        }
    }

    private void CheckStatus(NodeRecord node, StatusRow row)
    {
        ulong rejected = node.RejectedAt(cluster.Host.Gms!.FrontierOf(node.Application)!.Table.Generation, long.MaxValue);
        bool isHeard = row.State == Present || (row.State == Silent && !_silent.Contains(row.Incarnation));
        if (!isHeard || row.Name != node.Machine.Name || row.Zone != node.Member.Zone
            || row.Rejected < rejected)
        {
            world.Fail(
                Name, $"at the end the status says {row} of {node} in '{node.Member.Zone}', which rejected {rejected} last", node);
        }
    }
}
