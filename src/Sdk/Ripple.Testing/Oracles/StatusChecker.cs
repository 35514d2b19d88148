using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// The rows of a status are true and recent: none is ahead of its node, each undisturbed member has one, and it shows at least what the
/// node had <see cref="BoundNs"/> before the question.
/// </summary>
internal sealed class StatusChecker(SimulatedWorld world, MembershipBook members)
{
    /// <summary>How old a row may be: a heartbeat of 1 s, and 1 s for its way with repetitions of lost packets.</summary>
    public const long BoundNs = 2_000_000_000;

    private const string Name = "Staleness";
    private const byte Silent = 1;

    /// <summary>The number of rows that were judged.</summary>
    public long JudgedCount { get; private set; }

    /// <summary>Called with all rows of a status.</summary>
    public void OnAnswered(long askedNs, uint generation, IReadOnlyList<StatusRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        foreach (StatusRow row in rows)
        {
            NodeRecord? node = members.Nodes.FirstOrDefault(n => n.Machine.Name == row.Name);
            if (node is not null
                && !members.HasCaptured
                && (row.Received > node.EverReached(NodeLevel.Received, generation)
                    || row.Persisted > node.EverReached(NodeLevel.Persisted, generation)
                    || Math.Max(row.Applied, row.DirectApplied) > node.EverReached(NodeLevel.Applied, generation)))
            {
                world.Fail(Name, $"the status says {row} of generation {generation}, which {node} never had");
            }
        }

        long sinceNs = askedNs - BoundNs;
        if (!members.IsHostQuietSince(sinceNs))
        {
            return;
        }

        foreach (NodeRecord node in members.Nodes)
        {
            if (node is { IsCaptured: false, Session: { } session }
                && session.JoinedNs < sinceNs
                && members.IsHostAlive(session.HostLife)
                && members.IsQuietSince(node, sinceNs - BoundNs))
            {
                JudgedCount++;
                Judge(node, rows.FirstOrDefault(r => r.Incarnation == session.Incarnation), generation, sinceNs);
            }
        }
    }

    private void Judge(NodeRecord node, StatusRow? row, uint generation, long sinceNs)
    {
        if (row is null || row.State > Silent)
        {
            world.Fail(Name, $"{node} is a member for more than {BoundNs / 1_000_000} ms; the status says {row?.ToString() ?? "nothing"}");
            return;
        }

        ulong received = node.ReachedAt(NodeLevel.Received, generation, sinceNs);
        ulong persisted = node.ReachedAt(NodeLevel.Persisted, generation, sinceNs);
        ulong applied = node.ReachedAt(NodeLevel.Applied, generation, sinceNs);
        if (row.Received < received || row.Persisted < persisted || row.Applied < applied)
        {
            world.Fail(
                Name,
                $"{node} had received {received}, persisted {persisted} and applied {applied} {BoundNs / 1_000_000} ms before the "
                    + $"question; the status says {row}");
        }
    }
}
