using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Testing.Oracles;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster.Applications;

/// <summary>
/// Asks what rollbacks would do, as an administrator does through the host's HTTP interface, and compares each plan with the contents that
/// the world knows: the keys that would change, the release it stands on, and whom it would reach.
/// </summary>
internal sealed class RollbackPlanner
{
    private const string Checker = "Plans";
    private const string Actor = "planner of rollbacks";
    private const long LongNs = 3_000_000_000;
    // Nothing is done, so that no id is remembered.
    private static readonly Guid AnyId = new(1, 0, 0, new byte[8]);
    private readonly SimulatedCluster _cluster;
    private readonly DeterministicRandom _random;

    /// <summary>Creates a planner who has not asked anything.</summary>
    public RollbackPlanner(SimulatedCluster cluster, DeterministicRandom random)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        _cluster = cluster;
        _random = random;
    }

    private SimulatedWorld World => _cluster.World;

    /// <summary>Asks for one plan. On the host's core.</summary>
    public void Ask()
    {
        string application = ApplicationMix.Names[_random.NextInt32(ApplicationMix.Names.Length)];
        if (_cluster.Host.Gms is not { } gms || _cluster.Oracles.Model.Of(application).Newest is not { } newest)
        {
            return;
        }

        ulong target = (ulong)_random.NextInt64((long)newest.Release + 3);
        double kind = _random.NextDouble();
        ExpectedState expected = kind < 0.5 ? ExpectedState.Any
            : kind < 0.65 ? newest.Release
            : kind < 0.8 ? new ExpectedState(newest.Generation, newest.Release)
            : kind < 0.9 ? new ExpectedState(newest.Generation + 1, newest.Release)
            : newest.Release - 1;
        var rollback = new Rollback(0, application, AnyId, target, expected, string.Empty);
        gms.Calls.Publishing.PlanRollback(new Caller(ClusterTokens.Admin, Actor), rollback, answer => Judge(rollback, answer));
    }

    private void Judge(Rollback asked, Answer<PublishOutline> answer)
    {
        ModelRelease newest = _cluster.Oracles.Model.Of(asked.Application).Newest!;
        bool isOnTop = asked.Expected.Matches(newest.Generation, newest.Release);
        ErrorCode shall = newest.At(asked.ToRelease) is null ? ErrorCode.NotFound
            : isOnTop ? ErrorCode.None : ErrorCode.WrongExpectedRelease;
        ErrorCode code = answer.Refusal?.Code ?? ErrorCode.None;
        bool isGone = code == ErrorCode.NotFound && newest.LeavesBehind(asked.ToRelease, _cluster.Oracles.ReleasesKept);
        if (code != shall && !isGone)
        {
            World.Fail(Checker, $"the plan of a rollback to {asked.ToRelease} was answered {code}, and {shall} is right", newest);
        }

        if (answer.Value is not { } outline)
        {
            return;
        }

        if (outline.Newest.Release != newest.Release || outline.Newest.Generation != newest.Generation)
        {
            World.Fail(Checker, $"a plan stands on {outline.Newest.Release}, and the newest is {newest}", newest);
        }

        string says = string.Join(
            ' ', outline.Changes.Select(c => c.Operation == KeyOperation.Remove ? $"-{c.Key}" : $"+{c.Key}:{c.Length}"));
        string would = string.Join(' ', Changes(newest, newest.At(asked.ToRelease)!));
        if (says != would)
        {
            World.Fail(Checker, $"a rollback to {asked.ToRelease} would change {would}, and its plan says {says}", newest);
        }

        CheckMembers(asked.Application, outline);
    }

    /// <summary>A node that has long been in is reached, and nobody else is.</summary>
    private void CheckMembers(string application, PublishOutline outline)
    {
        NodeRecord[] nodes = [.. _cluster.Oracles.Members.Of(application)];
        string[] names = [.. outline.Members.Select(m => m.Name)];
        if (names.FirstOrDefault(n => nodes.All(r => r.Machine.Name != n)) is { } stranger)
        {
            World.Fail(Checker, $"a plan for {application} names {stranger}, which has no interest in it");
        }

        long longAgoNs = World.Scheduler.NowNs - LongNs;
        MembershipBook members = _cluster.Oracles.Members;
        if (members.IsHostQuietSince(longAgoNs)
            && nodes.FirstOrDefault(n => IsMember(n, longAgoNs) && !names.Contains(n.Machine.Name)) is { } missing)
        {
            World.Fail(Checker, $"a plan for {application} does not name {missing}, which has long been a member", missing);
        }
    }

    private bool IsMember(NodeRecord node, long sinceNs) =>
        node.Session is { } session
        && _cluster.Oracles.Members.IsHostAlive(session.HostLife)
        && session.JoinedNs < sinceNs
        && _cluster.Oracles.Members.IsCertainSince(node, sinceNs);

    private static IEnumerable<string> Changes(ModelRelease from, ModelRelease to) =>
        from.Content.Keys.Union(to.Content.Keys).Order(StringComparer.Ordinal).Where(k => !IsSame(from, to, k)).Select(
            k => to.Content.TryGetValue(k, out byte[]? value) ? $"+{k}:{value.Length}" : $"-{k}");

    private static bool IsSame(ModelRelease from, ModelRelease to, string key) =>
        from.Content.TryGetValue(key, out byte[]? a) && to.Content.TryGetValue(key, out byte[]? b) && a.AsSpan().SequenceEqual(b);
}
