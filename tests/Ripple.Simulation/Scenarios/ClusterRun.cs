using System.Globalization;
using System.Text;
using Ripple.Engine.Nodes;
using Ripple.Engine.Releases;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>Runs one simulated cluster, and describes the run.</summary>
internal static class ClusterRun
{
    /// <summary>Runs a cluster to its end or to its first violation.</summary>
    public static RunResult Run(ulong seed, ClusterOptions cluster, ScenarioOptions options)
    {
        ClusterOptions composed =
            cluster with { Judges = cluster.Judges | options.Judges, Script = options.Script, Trace = options.Trace };
        var run = new SimulatedCluster(seed, composed, options.ReplayArguments);
        InvariantViolationException? violation = null;
        try
        {
            run.Run();
        }
        catch (InvariantViolationException e)
        {
            violation = e;
        }

        string? log = options.IsVerbose ? Describe(run) : null;
        RunResult result = RunResult.Of(run.World, violation, run.CommittedCount, run.AppliedCount, log) with
        {
            PeerRepairs = run.World.Network.Nonces?.PeerRepairs ?? 0,
            Leaves = run.LeafCount,
            Waits = run.Publishers.Sum(p => p.WaitOutcomes.Sum()),
        };
        return run.Attacker?.Tally is not { } tally
            ? result
            : result with { Forged = tally.Sent, ForgedOpened = tally.Opened, ForgedNew = tally.New };
    }

    private static string Describe(SimulatedCluster cluster)
    {
        var text = new StringBuilder();
        text.AppendLine(
            CultureInfo.InvariantCulture,
            $"  published {Sum(p => p.SentCount)}, acknowledged {Sum(p => p.AcknowledgedCount)}, refused {Sum(p => p.RefusedCount)}; "
                + $"waits held {Sum(p => p.WaitOutcomes[0])}, cannot {Sum(p => p.WaitOutcomes[1])}, timed out "
                + $"{Sum(p => p.WaitOutcomes[2])}; forged {cluster.ForgedCount}; at most {cluster.RegionsMax} regions; "
                + $"started from earlier releases {cluster.Oracles?.PastCount}");
        if (cluster.Events?.Book is { } book)
        {
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"  events emitted {book.EmittedCount}, shown {book.ShownCount}, told as lost {book.ToldCount}, judged {book.JudgedCount}");
        }

        foreach (ClientPublisher publisher in cluster.Publishers.OfType<ClientPublisher>())
        {
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"  {publisher.Client.Machine.Name} of {publisher.Application}: acknowledged {publisher.AcknowledgedCount}, rolled back "
                    + $"{publisher.RolledBackCount}, read {publisher.ReadCount}, calls without an outcome "
                    + $"{publisher.UnknownCount}, waits refused {publisher.WaitErrorCount}, definitions changed "
                    + $"{publisher.Definitions?.ChangedCount}, points of the external {publisher.Definitions?.PointCount}");
        }

        foreach (SimulatedClient client in cluster.Clients)
        {
            if (client is SimulatedRippleClient real)
            {
                text.AppendLine(
                    CultureInfo.InvariantCulture,
                    $"  {client.Machine.Name} is real: watched {real.WatchedCount}, failed starts {real.FailedStartCount}");
            }

            if (client is SimulatedHostedClient hosted)
            {
                text.AppendLine(
                    CultureInfo.InvariantCulture,
                    $"  {client.Machine.Name} is hosted: started {hosted.HostStartCount}, shown {hosted.ShownCount}, "
                        + $"changed {hosted.ChangedCount}");
            }

            NodeCounters? c = client.Node?.Counters;
            text.AppendLine(
                CultureInfo.InvariantCulture,
                $"  {client.Machine.Name}: applied {client.AppliedCount}, rejected {client.RejectedCount}, joins {c?.Joins}, "
                    + $"catch-ups {c?.CatchUps}, snapshots {c?.Snapshots}, refused "
                    + $"{c?.DatagramsRefused}/{c?.FramesRefused}, forged {c?.Forged}");
            foreach (ApplicationReplica replica in client.Node?.Applications ?? [])
            {
                text.AppendLine(
                    CultureInfo.InvariantCulture,
                    $"    {replica.Name}: received {replica.Received.Keys.Release}, verified {replica.Head.Release}, waiting for values "
                        + $"{replica.StagedCount}, for others {replica.PendingCount}, for a decision {replica.CandidateCount}, in effect "
                        + $"{replica.Applied.Keys.Release}");
            }
        }

        for (int i = 0; i < cluster.Attacker?.Kinds.Count; i++)
        {
            (long sent, long opened, long isNew) = cluster.Attacker.Tally.Of(i + 1);
            text.AppendLine(
                CultureInfo.InvariantCulture, $"  {cluster.Attacker.Kinds[i].Name}: forged {sent}, opened {opened}, new {isNew}");
        }

        return text.ToString();

        long Sum(Func<SimulatedPublisher, long> count) => cluster.Publishers.Sum(count);
    }
}
