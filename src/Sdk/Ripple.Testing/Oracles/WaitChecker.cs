using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Oracles.Predicates;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// Every answer to a wait is true by the world's own record: <c>Held</c> only if all certain members had it, <c>CannotHold</c> only if a
/// member rejected it, the generation ended or all are gone, <c>TimedOut</c> not early and without naming a member that had it for long,
/// and a refusal never, unless there is too much to do, a restore took the release back, or so many came since that its members are
/// forgotten; <c>NotFound</c> is then for those who asked for a number alone. The answer is about the generation that was asked for.
/// </summary>
internal sealed class WaitChecker(
    SimulatedWorld world, ReleaseModel model, MembershipBook members, Judges judges, int commitsKept = int.MaxValue)
{
    private const string Name = "Waits";
    private const long LateNs = 3_000_000_000;
    private const long EarlyNs = 1_000_000;

    /// <summary>
    /// The time after which a host knows what a node undisturbed since then has: a heartbeat of 1 s, and the same again for its way.
    /// </summary>
    private const long KnownAfterNs = 2_000_000_000;

    private static readonly PredicateMember Host = new("host", "default", true, []);
    private readonly List<WaitQuestion> _open = [];

    /// <summary>Called when a wait is sent, again or for the first time.</summary>
    public void OnSent(WaitQuestion question)
    {
        ArgumentNullException.ThrowIfNull(question);
        question.SentNs = world.Scheduler.NowNs;
        question.HostLife = members.HostLife;
        _open.Add(question);
        CheckLate();
    }

    /// <summary>Called when the connection was lost before the answer, or the asker gave up.</summary>
    public void OnLost(WaitQuestion question)
    {
        CheckLate();
        _open.Remove(question);
    }

    /// <summary>Called with the answer.</summary>
    public void OnAnswered(WaitQuestion question, WaitResult answer)
    {
        ArgumentNullException.ThrowIfNull(question);
        ArgumentNullException.ThrowIfNull(answer);
        _open.Remove(question);
        CommitRecord? commit = members.Find(question.Release);
        if (answer.Code != ErrorCode.None)
        {
            OnRefused(question, commit, answer);
            return;
        }

        if (answer.Generation != question.Release.Generation)
        {
            if (!question.IsBare)
            {
                world.Fail(Name, $"{question} was answered for generation {answer.Generation}");
            }

            return;
        }

        switch (answer.Outcome)
        {
            case 0:
                OnHeld(question, commit, answer);
                break;
            case 1:
                OnCannotHold(question, commit, answer);
                break;
            case 2:
                OnTimedOut(question, commit, answer);
                break;
            default:
                world.Fail(Name, $"{question} ended as {answer.Outcome}, which is no outcome");
                break;
        }
    }

    private void OnHeld(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        if (IsOfAnotherLife(commit))
        {
            return;
        }

        long nowNs = world.Scheduler.NowNs;
        SortedDictionary<string, NodeRecord> certain = CertainOf(commit);
        bool Has(PredicateMember member, NodeLevel level) =>
            member.IsHost
            || (certain.TryGetValue(member.Name, out NodeRecord? node)
                ? HasReached(node, level, question.Release, nowNs)
                : EverReached(member, level, question.Release));

        if (CasesOf(question, certain).MayHold(Has))
        {
            return;
        }

        IEnumerable<string> behind = certain.Values
            .Where(n => question.Term.LevelsOf(n.Member).Any(l => !Has(n.Member, l)))
            .Select(n => $"{n} has received {AtOf(n, NodeLevel.Received)}, persisted {AtOf(n, NodeLevel.Persisted)} and applied "
                + $"{AtOf(n, NodeLevel.Applied)}");
        string leftOut = string.Join(", ", answer.Discounted.Select(d => $"{d.Name} ({d.Reason})").DefaultIfEmpty("nobody"));
        world.Fail(
            Name,
            $"{question} held, asked first {(nowNs - question.AskedNs) / 1_000_000} ms ago; of those who were members when it was "
                + $"committed and live undisturbed since, {string.Join("; ", behind.DefaultIfEmpty("all have it, which is not enough"))}; "
                + $"the host that committed it {(members.HostLife == commit?.HostLife ? "still runs" : "was started again since")}, and "
                + $"left out {leftOut}");
    }

    private void OnCannotHold(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        ModelRelease release = question.Release;
        foreach (WaitMember named in answer.Members)
        {
            NodeRecord? node = members.Of(release.Claim.Application).FirstOrDefault(n => n.Machine.Name == named.Name);
            if (node?.IsCaptured == true)
            {
                // It may say so, and has its way.
                return;
            }

            if (named.Reason.StartsWith("rejected", StringComparison.Ordinal)
                && node?.HasRejected(release.Generation, release.Release) != true)
            {
                world.Fail(Name, $"{question} cannot hold because {named.Name} {named.Reason}, which it never said");
            }

            if (named.Reason is "left" or "failed" && node is not null && Judged(commit).Contains(node) && node.Session is not null)
            {
                world.Fail(Name, $"{question} cannot hold because {named.Name} {named.Reason}, which is a member since its commit");
            }
        }

        bool isOver = model.Of(release.Claim.Application).Newest is { } newest && newest.Generation > release.Generation;
        SortedDictionary<string, NodeRecord> certain = CertainOf(commit);
        bool MayReach(PredicateMember member, NodeLevel level) => member.IsHost
            || level != NodeLevel.Applied
            || !members.Of(release.Claim.Application).Any(
                n => n.Member == member && (n.IsCaptured || n.HasRejected(release.Generation, release.Release)));
        if (!isOver && !CasesOf(question, certain).MayFail(MayReach))
        {
            world.Fail(
                Name,
                $"{question} cannot hold, they say, which no rejection explains; members since its commit are "
                    + $"{string.Join(", ", certain.Values)}");
        }
    }

    private void OnTimedOut(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        long nowNs = world.Scheduler.NowNs;
        long driftNs = (question.DeadlineNs - question.AskedNs) / 1_000_000 * world.Machines.Max(m => Math.Abs(m.ClockDriftPpm));
        if (nowNs < question.DeadlineNs - EarlyNs - driftNs)
        {
            world.Fail(Name, $"{question} timed out {(question.DeadlineNs - nowNs) / 1_000_000} ms before its time");
        }

        long sinceNs = nowNs - KnownAfterNs;
        // Who was paused gives up when it goes on, and reads the answer that came meanwhile afterwards.
        if (!members.IsHostQuietSince(sinceNs) || !world.Disturbances.IsQuietSince(question.Asker, sinceNs))
        {
            return;
        }

        string application = question.Release.Claim.Application;
        bool IsKnown(NodeRecord node, NodeLevel level) =>
            node is { IsCaptured: false, Session: { } session }
            && session.JoinedNs < sinceNs
            && members.IsHostAlive(session.HostLife)
            && members.IsCertainSince(node, sinceNs)
            && HasReached(node, level, question.Release, sinceNs);
        foreach (WaitMember named in answer.Members)
        {
            NodeRecord? node = members.Of(application).FirstOrDefault(n => n.Machine.Name == named.Name);
            if (node is not null && question.Term.LevelsOf(node.Member).Distinct().All(l => IsKnown(node, l)))
            {
                world.Fail(Name, $"{question} timed out for {node}, which has it for more than {KnownAfterNs / 1_000_000} ms");
            }
        }

        SortedDictionary<string, NodeRecord> certain = CertainOf(commit);
        if (!CasesOf(question, certain).MayFail(
            (member, level) => member.IsHost || members.Of(application).Any(n => n.Member == member && IsKnown(n, level))))
        {
            world.Fail(Name, $"{question} timed out, and was true for more than {KnownAfterNs / 1_000_000} ms");
        }
    }

    private void OnRefused(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        if (answer.Text.Length == 0)
        {
            world.Fail(Name, $"{question} was refused as {answer.Code}, without a word");
        }

        ModelRelease release = question.Release;
        bool isThere = model.Of(release.Claim.Application).Newest?.At(release.Release)?.Name == release.Name;
        if (answer.Code == ErrorCode.Busy && !(isThere && answer.Text.Contains("not known here", StringComparison.Ordinal)))
        {
            return;
        }

        if (question.IsBare && !isThere && answer.Code == ErrorCode.NotFound)
        {
            return;
        }

        ulong newest = model.Of(release.Claim.Application).Newest?.Release ?? 0;
        if (answer.Code == ErrorCode.NotFound && newest >= release.Release + (ulong)commitsKept)
        {
            return;
        }

        if (answer.Code != ErrorCode.InvalidPredicate || !CasesOf(question, CertainOf(commit)).MayBeInvalid())
        {
            world.Fail(Name, $"{question} was refused as {answer.Code}: {answer.Text}");
        }
    }

    /// <summary>A wait that is with a host ends soon after its time.</summary>
    private void CheckLate()
    {
        long nowNs = world.Scheduler.NowNs;
        _open.RemoveAll(q => !q.Asker.IsRunning || q.Asker.StartCount != q.AskerLife);
        foreach (WaitQuestion question in _open)
        {
            if (question.DeadlineNs + LateNs < nowNs
                && members.IsHostAlive(question.HostLife)
                && members.IsHostQuietSince(question.SentNs)
                && world.Disturbances.IsQuietSince(question.Asker, question.SentNs))
            {
                world.Fail(Name, $"{question} is not answered {LateNs / 1_000_000} ms after its time");
            }
        }
    }

    private static bool HasReached(NodeRecord node, NodeLevel level, ModelRelease release, long atNs) =>
        node.ReachedNs(level, release.Generation, release.Release) <= atNs;

    private static string AtOf(NodeRecord node, NodeLevel level) => node.At(level)?.ToString() ?? "nothing";

    private bool EverReached(PredicateMember member, NodeLevel level, ModelRelease release) =>
        members.Of(release.Claim.Application).Any(
            n => n.Member == member && (n.IsCaptured || n.EverReached(level, release.Generation) >= release.Release));

    /// <summary>What a host started again knows of the members at a commit is judged only where that is asked for.</summary>
    private bool IsOfAnotherLife(CommitRecord? commit) =>
        commit is null || (commit.HostLife != members.HostLife && (judges & Judges.WaitsOverRestarts) == 0);

    /// <summary>The certain members; none across a restart of the host, unless that is judged.</summary>
    private IEnumerable<NodeRecord> Judged(CommitRecord? commit) => IsOfAnotherLife(commit) ? [] : members.Certain(commit!);

    private SortedDictionary<string, NodeRecord> CertainOf(CommitRecord? commit) =>
        new(Judged(commit).ToDictionary(n => n.Member.Name), StringComparer.Ordinal);

    /// <summary>The host is always a member; all other nodes of the application may be.</summary>
    private MemberCases CasesOf(WaitQuestion question, SortedDictionary<string, NodeRecord> certain) => new(
        question.Term,
        certain.Values.Select(n => n.Member).Prepend(Host),
        members.Of(question.Release.Claim.Application).Select(n => n.Member).Where(m => !certain.ContainsKey(m.Name)));
}
