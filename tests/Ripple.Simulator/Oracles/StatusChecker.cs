using Ripple.Engine.Protocol.Calls;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// A status is true: its newest release was the newest at some moment between question and answer, no row is ahead of its node, and each
/// names its node, and the rejection and reason of its validators. With <see cref="Judges.Staleness"/> it is recent too: each undisturbed
/// member has a row, which shows at least what the node had <see cref="BoundNs"/> before the question.
/// </summary>
internal sealed class StatusChecker(SimulatedWorld world, ReleaseModel model, MembershipBook members, Judges judges)
{
    /// <summary>How old a row may be: a heartbeat of 1 s, and 1 s for its way with repetitions of lost packets.</summary>
    public const long BoundNs = 2_000_000_000;

    private const string Name = "Staleness";
    private const byte Silent = 1;

    /// <summary>The number of rows that were judged.</summary>
    public long JudgedCount { get; private set; }

    /// <summary>Called with a whole status.</summary>
    public void OnAnswered(string application, long askedNs, uint generation, ulong newest, IReadOnlyList<StatusRow> rows)
    {
        ArgumentNullException.ThrowIfNull(rows);
        List<ModelRelease?> known = [.. model.Of(application).NewestWithin(askedNs, world.Scheduler.NowNs)];
        if (!known.Exists(n => n is null ? newest == 0 : n.Generation == generation && n.Release == newest))
        {
            world.Fail(Name, $"the status of {application} says that {generation}/{newest} is the newest; it was {known[0]}");
        }

        foreach (StatusRow row in rows)
        {
            NodeRecord? node = members.Of(application).FirstOrDefault(n => n.Machine.Name == row.Name);
            if (node is not null
                && !members.HasCaptured
                && (row.Received > node.EverReached(NodeLevel.Received, generation)
                    || row.Persisted > node.EverReached(NodeLevel.Persisted, generation)
                    || Math.Max(row.Applied, row.DirectApplied) > node.EverReached(NodeLevel.Applied, generation)))
            {
                world.Fail(Name, $"the status says {row} of generation {generation}, which {node} never had");
            }

            if (!members.HasCaptured)
            {
                JudgeWords(node, row, generation);
            }
        }

        long sinceNs = askedNs - BoundNs;
        if ((judges & Judges.Staleness) == 0 || !members.IsHostQuietSince(sinceNs))
        {
            return;
        }

        foreach (NodeRecord node in members.Of(application))
        {
            if (node is { IsCaptured: false, Session: { } session }
                && session.JoinedNs < sinceNs
                && members.IsHostAlive(session.HostLife)
                && members.IsCertainSince(node, sinceNs - BoundNs))
            {
                JudgedCount++;
                Judge(node, rows.FirstOrDefault(r => r.Incarnation == session.Incarnation), generation, sinceNs);
            }
        }
    }

    /// <summary>A row names a node that is there, with its zone, and a rejection that it made, with the reason it gave.</summary>
    private void JudgeWords(NodeRecord? node, StatusRow row, uint generation)
    {
        bool isTrue = row.Rejected == 0
            ? row.Reason.Length == 0
            : node?.HasGiven(generation, row.Rejected, row.Reason) == true || node?.HasBegun(generation, row.Rejected, row.Reason) == true;
        if (node is null || row.Zone != node.Member.Zone || !isTrue)
        {
            world.Fail(
                Name,
                $"the status of generation {generation} says {row}; that is {node?.ToString() ?? "nobody"}, in the zone "
                    + $"'{node?.Member.Zone}', and the rejection is {(isTrue ? "one it made" : "none that it made so")}");
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
        ulong rejected = node.RejectedAt(generation, sinceNs);
        if (row.Received < received || row.Persisted < persisted || row.Applied < applied || row.Rejected < rejected)
        {
            world.Fail(
                Name,
                $"{node} had received {received}, persisted {persisted}, applied {applied} and rejected {rejected} "
                    + $"{BoundNs / 1_000_000} ms before the question; the status says {row}");
        }
    }
}
