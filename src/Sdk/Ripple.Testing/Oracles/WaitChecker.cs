using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>
/// Every answer to a wait is true by the world's own record: <c>Held</c> only if all certain members had it, <c>CannotHold</c> only if a
/// member rejected it, the generation ended or all are gone, <c>TimedOut</c> not early and without naming a member that had it for long,
/// and a refusal never for a release and members that are there.
/// </summary>
internal sealed class WaitChecker(SimulatedWorld world, ReleaseModel model, MembershipBook members, Judges judges)
{
    private const string Name = "Waits";

    /// <summary>
    /// The time after which a host knows what a node undisturbed since then has: a heartbeat of 1 s, and the same again for its way.
    /// </summary>
    private const long KnownAfterNs = 2_000_000_000;

    private const long LateNs = 3_000_000_000;
    private const long EarlyNs = 1_000_000;
    private readonly List<WaitQuestion> _open = [];

    /// <summary>Called when a wait is sent, again or for the first time.</summary>
    public void OnSent(WaitQuestion question)
    {
        ArgumentNullException.ThrowIfNull(question);
        question.SentNs = world.Scheduler.NowNs;
        _open.Add(question);
        CheckLate();
    }

    /// <summary>Called when the connection was lost before the answer.</summary>
    public void OnLost(WaitQuestion question) => _open.Remove(question);

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

        switch (answer.Outcome)
        {
            case 0:
                OnHeld(question, commit, answer);
                break;
            case 1:
                OnCannotHold(question, commit, answer);
                break;
            case 2:
                OnTimedOut(question, answer);
                break;
            default:
                world.Fail(Name, $"{question} ended as {answer.Outcome}, which is no outcome");
                break;
        }
    }

    private static bool HasReached(NodeRecord node, WaitQuestion question, long atNs) =>
        node.ReachedNs(question.Level, question.Release.Generation, question.Release.Release) <= atNs;

    private void OnHeld(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        long nowNs = world.Scheduler.NowNs;
        if (!question.IsOfAll)
        {
            ModelRelease release = question.Release;
            if (!members.HasCaptured && !members.Nodes.Any(n => n.EverReached(question.Level, release.Generation) >= release.Release))
            {
                world.Fail(Name, $"{question} held, and no node ever had it");
            }

            return;
        }

        string leftOut = string.Join(", ", answer.Discounted.Select(d => $"{d.Name} ({d.Reason})").DefaultIfEmpty("nobody"));
        foreach (NodeRecord node in Judged(commit).Where(n => !HasReached(n, question, nowNs)))
        {
            world.Fail(
                Name,
                $"{question} held, asked first {(nowNs - question.AskedNs) / 1_000_000} ms ago; {node} was a member when it was "
                    + $"committed, lives undisturbed since, and has {node.At(question.Level)?.ToString() ?? "nothing"}; the host that "
                    + $"committed it {(members.HostLife == commit!.HostLife ? "still runs" : "was started again since")}, "
                    + $"and left out {leftOut}");
        }
    }

    private void OnCannotHold(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        ModelRelease release = question.Release;
        foreach (WaitMember named in answer.Members)
        {
            NodeRecord? node = members.Nodes.FirstOrDefault(n => n.Machine.Name == named.Name);
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
        bool isRejected = question.Level == NodeLevel.Applied
            && members.Nodes.Any(n => n.HasRejected(release.Generation, release.Release));
        if (!isOver && !isRejected && Judged(commit).FirstOrDefault() is { } member)
        {
            world.Fail(Name, $"{question} cannot hold, they say; nobody rejected it, and {member} is a member since its commit");
        }
    }

    private void OnTimedOut(WaitQuestion question, WaitResult answer)
    {
        long nowNs = world.Scheduler.NowNs;
        if (nowNs < question.DeadlineNs - EarlyNs)
        {
            world.Fail(Name, $"{question} timed out {(question.DeadlineNs - nowNs) / 1_000_000} ms before its time");
        }

        long sinceNs = nowNs - KnownAfterNs;
        if (!members.IsHostQuietSince(sinceNs))
        {
            return;
        }

        foreach (WaitMember named in answer.Members)
        {
            NodeRecord? node = members.Nodes.FirstOrDefault(n => n.Machine.Name == named.Name);
            if (node is { IsCaptured: false, Session: { } session }
                && session.JoinedNs < sinceNs
                && members.IsHostAlive(session.HostLife)
                && members.IsQuietSince(node, sinceNs)
                && HasReached(node, question, sinceNs))
            {
                world.Fail(Name, $"{question} timed out for {node}, which has it for more than {KnownAfterNs / 1_000_000} ms");
            }
        }
    }

    private void OnRefused(WaitQuestion question, CommitRecord? commit, WaitResult answer)
    {
        if (answer.Code == ErrorCode.Busy)
        {
            return;
        }

        ModelRelease release = question.Release;
        bool isThere = model.Of(release.Claim.Application).Newest?.At(release.Release)?.Name == release.Name;
        if (!isThere && answer.Code == ErrorCode.NotFound)
        {
            return;
        }

        if (answer.Code != ErrorCode.InvalidPredicate || Judged(commit).Any())
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
                && members.IsHostQuietSince(question.SentNs)
                && world.Disturbances.IsQuietSince(question.Asker, question.SentNs))
            {
                world.Fail(Name, $"{question} is not answered {LateNs / 1_000_000} ms after its time");
            }
        }
    }

    /// <summary>The certain members; none across a restart of the host, unless that is judged.</summary>
    private IEnumerable<NodeRecord> Judged(CommitRecord? commit) =>
        commit is null || (commit.HostLife != members.HostLife && (judges & Judges.WaitsOverRestarts) == 0)
            ? []
            : members.Certain(commit);
}
