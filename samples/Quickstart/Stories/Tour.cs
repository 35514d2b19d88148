using System.Diagnostics;
using Quickstart.Hosting;
using Quickstart.Nodes;
using Ripple.Client;

namespace Quickstart.Stories;

/// <summary>
/// The tour: a full release, an edit, one that a node rejects, one that supersedes it, a killed process, and its return. Each claim is
/// checked.
/// </summary>
internal sealed class Tour(Stage stage)
{
    private const string Everywhere = "MIN($ALL.applied)";
    private const string OnDisk = "MIN($ALL.persisted)";
    private const int Victim = Fleet.ProcessCount - 1;

    private static readonly string CriticName = NodeProcessSettings.NameOf(Fleet.Critic);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        Published full = await stage.PublishAsync("a full release: 4 keys", Documents.All(), cancellationToken);
        await DeliverAsync(full, cancellationToken);
        Published edit = await stage.PublishAsync(
            "a small edit: one line", Documents.Features, Documents.FeaturesWith(isNewCheckout: true), cancellationToken);
        await DeliverAsync(edit, cancellationToken);
        Published bad = await RejectAsync(edit, cancellationToken);
        Published good = await stage.PublishAsync(
            $"supersedes release {bad.Release}", Documents.Limits, Documents.LimitsOf(300), cancellationToken);
        await DeliverAsync(good, cancellationToken);
        await stage.CheckCurrentAsync(good, [Fleet.Critic], cancellationToken);
        await KillAndReturnAsync(cancellationToken);
    }

    /// <summary>A release that is to take effect at every node.</summary>
    private Task DeliverAsync(Published published, CancellationToken cancellationToken) => Monitor(published, Fleet.AllNodes).RunAsync(
        async () =>
        {
            Task<WaitResult> waiting = stage.WaitAsync(published, Everywhere, cancellationToken);
            await stage.CheckAppliedAsync(published, Fleet.AllNodes, cancellationToken);
            CheckHeld(published, Everywhere, await waiting, []);
            CheckHeld(published, OnDisk, await stage.WaitAsync(published, OnDisk, cancellationToken), []);
        },
        cancellationToken);

    private async Task<Published> RejectAsync(Published before, CancellationToken cancellationToken)
    {
        Published bad = await stage.PublishAsync(
            $"maxConnections -1: {CriticName} rejects it", Documents.Limits, Documents.LimitsOf(-1), cancellationToken);
        int[] others = [.. Fleet.AllNodes.Where(n => n != Fleet.Critic)];
        WaitResult? ended = null;
        await Monitor(bad, Fleet.AllNodes).RunAsync(
            async () =>
            {
                await stage.CheckAppliedAsync(bad, others, cancellationToken);
                ended = await stage.WaitAsync(bad, Everywhere, cancellationToken);
                Stage.Check(
                    ended.Outcome == WaitOutcome.CannotHold
                        && ended.Members is [{ } one]
                        && one.Name == CriticName
                        && one.Reason.Length > 0,
                    $"the wait for {Everywhere} of release {bad.Release} ends {WaitOutcome.CannotHold}, naming {CriticName} alone",
                    Describe(ended));
                CheckHeld(bad, OnDisk, await stage.WaitAsync(bad, OnDisk, cancellationToken), []);
            },
            cancellationToken);
        MemberStatus? critic = await FindCriticAsync(cancellationToken);
        Stage.Check(
            critic is { Reason.Length: > 0 } && critic.Rejected == bad.Release && critic.Applied == before.Release,
            $"the status of {CriticName} has release {bad.Release} rejected, with the reason, and release {before.Release} applied",
            critic is null ? "no such member" : $"rejected {critic.Rejected} ('{critic.Reason}'), applied {critic.Applied}");
        await stage.CheckCurrentAsync(before, [Fleet.Critic], cancellationToken);
        stage.Display.Say(
            $"  The wait ended {ended!.Outcome}: {ended.Members[0].Name} says '{critic!.Reason}'. It keeps release {before.Release}.");
        return bad;
    }

    private async Task KillAndReturnAsync(CancellationToken cancellationToken)
    {
        IReadOnlyList<int> victims = Fleet.NodesOf(Victim);
        int processId = await stage.Fleet.KillAsync(Victim);
        stage.Display.Say($"  Killed process {processId} with {victims.Count} nodes (SIGKILL).");
        IReadOnlyList<int> survivors = stage.Fleet.RunningNodes;
        Published published = await stage.PublishAsync(
            "published after the kill", Documents.Features, Documents.FeaturesWith(isNewCheckout: false), cancellationToken);
        WaitResult? held = null;
        await Monitor(published, survivors).RunAsync(
            async () =>
            {
                Task<WaitResult> waiting = stage.WaitAsync(published, Everywhere, cancellationToken);
                await stage.CheckAppliedAsync(published, survivors, cancellationToken);
                held = await waiting;
                CheckHeld(published, Everywhere, held, victims);
                CheckHeld(published, OnDisk, await stage.WaitAsync(published, OnDisk, cancellationToken), victims);
            },
            cancellationToken);
        stage.Display.Say(
            $"  The wait held over the members still there: {held!.Total} with the publisher, {held.Discounted.Count} of them discounted "
                + $"because they went meanwhile.");
        await ReturnAsync(published, victims, cancellationToken);
    }

    private async Task ReturnAsync(Published newest, IReadOnlyList<int> victims, CancellationToken cancellationToken)
    {
        string[] idsBefore = [.. victims.Select(IdOf)];
        (long catchUps, long snapshots) = (stage.Cluster.Server.Counters.CatchUps, stage.Cluster.Server.Counters.Snapshots);
        stage.Observations.Forget(NodeReport.Joined, victims);
        long start = Stopwatch.GetTimestamp();
        stage.Fleet.Start(Victim);
        await stage.WaitJoinedAsync(victims, cancellationToken);
        await stage.CheckAppliedAsync(newest, victims, cancellationToken);
        double ms = Stopwatch.GetElapsedTime(
            start, victims.Max(n => stage.Observations.Applied(n, newest.Release)!.Timestamp)).TotalMilliseconds;
        catchUps = stage.Cluster.Server.Counters.CatchUps - catchUps;
        snapshots = stage.Cluster.Server.Counters.Snapshots - snapshots;
        int same = victims.Select(IdOf).Zip(idsBefore).Count(p => p.First == p.Second);
        Stage.Check(same == victims.Count, $"{victims.Count} nodes come back under their ids, from their own disks", $"{same} did");
        Stage.Check(
            catchUps >= victims.Count && snapshots == 0,
            $"the host brings {victims.Count} nodes forward from what they have, and sends no snapshot",
            $"{catchUps} brought forward, {snapshots} snapshots");
        CheckHeld(newest, Everywhere, await stage.WaitAsync(newest, Everywhere, cancellationToken), victims);
        await stage.CheckCurrentAsync(newest, Fleet.AllNodes, cancellationToken);
        stage.Display.Say(string.Create(
            System.Globalization.CultureInfo.InvariantCulture,
            $"  Started it again: {victims.Count} nodes read release {newest.Release - 1} from their disks and had {newest.Release} in "
                + $"effect {ms:0} ms after the start, without a snapshot from the host."));
        stage.Display.Say($"  All {Fleet.NodeCount} nodes have release {newest.Release}, byte for byte.");
    }

    private async Task<MemberStatus?> FindCriticAsync(CancellationToken cancellationToken)
    {
        ApplicationStatus status = await stage.Cluster.Publisher.StatusAsync(Cluster.Application, cancellationToken);
        return status.Members.FirstOrDefault(m => m.Name == CriticName && m.State == MemberState.Present);
    }

    private ReleaseMonitor Monitor(Published published, IReadOnlyCollection<int> nodes) => new(stage, published, nodes);

    private string IdOf(int node) => stage.Observations.Newest(NodeReport.Joined, node)?.Text ?? string.Empty;

    /// <summary>Checks that a wait held, and left nobody out but those that may be gone.</summary>
    private static void CheckHeld(Published published, string predicate, WaitResult result, IReadOnlyCollection<int> mayBeGone)
    {
        var gone = mayBeGone.Select(NodeProcessSettings.NameOf).ToHashSet(StringComparer.Ordinal);
        Stage.Check(
            result.Outcome == WaitOutcome.Held
                && result.Discounted.All(d => gone.Contains(d.Name))
                && result.Total >= Fleet.NodeCount - mayBeGone.Count,
            $"the wait for {predicate} of release {published.Release} holds over all who are there",
            Describe(result));
    }

    private static string Describe(WaitResult result) =>
        $"{result.Outcome} over {result.Total} members; behind: {Names(result.Members)}; left out: "
            + $"{Names(result.Discounted)}; {result.Text}";

    private static string Names(IReadOnlyList<WaitMember> members) =>
        members.Count == 0 ? "nobody" : string.Join(", ", members.Select(m => $"{m.Name} at {m.Value} ({m.Reason})"));
}
