using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Testing.Oracles;
using Ripple.Testing.Oracles.Predicates;
using static Ripple.Simulation.Tests.Oracles.OracleWorld;

namespace Ripple.Simulation.Tests.Oracles;

public class WaitCheckerTests
{
    private const byte Held = 0;
    private const byte CannotHold = 1;
    private const byte TimedOut = 2;
    private readonly OracleWorld _world = new();
    private bool _isBare;
    private OperatorTerm _term = OperatorTerm.AllApplied(isDirect: false);

    [Fact]
    public void Held_means_that_every_certain_member_has_it()
    {
        ModelRelease release = Commit();
        _world.First.Reach(1, NodeLevel.Applied, release);
        Fails("Waits", () => Answer(release, Held));
        _world.Second.Reach(1, NodeLevel.Applied, release);
        Answer(release, Held);
    }

    [Fact]
    public void A_member_that_was_cut_off_or_died_is_not_certain()
    {
        ModelRelease release = Commit();
        _world.First.Reach(1, NodeLevel.Applied, release);
        _world.Second.Leave(_world.World.Scheduler.NowNs + 1, isByHost: false);
        Answer(release, Held);
        release = Commit();
        _world.First.Machine.Crash();
        Fails("Waits", () => Answer(release, Held));
        _world.First.Reach(1, NodeLevel.Applied, release);
        Answer(release, Held);
    }

    [Fact]
    public void A_pause_before_the_commit_makes_a_member_uncertain()
    {
        _world.World.Disturbances.Add([_world.First.Machine, _world.Second.Machine], 11 * World.Second);
        ModelRelease release = Commit();
        _world.First.Reach(1, NodeLevel.Applied, release);
        Answer(release, Held);
    }

    [Fact]
    public void Over_a_restart_of_the_host_members_still_count_where_that_is_judged()
    {
        ModelRelease release = Commit();
        _world.First.Reach(1, NodeLevel.Applied, release);
        _world.Host.Crash();
        _world.Second.Leave(_world.World.Scheduler.NowNs, isByHost: true);
        _world.Host.Start();
        Answer(release, Held);
        Fails("Waits", () => Answer(release, Held, judges: Judges.WaitsOverRestarts));
        Fails("Waits", () => Answer(release, Held, ErrorCode.InvalidPredicate, judges: Judges.WaitsOverRestarts));
    }

    [Fact]
    public void Members_of_a_release_may_be_forgotten_when_so_many_came_since()
    {
        ModelRelease old = Commit();
        Commit();
        Fails("Waits", () => Answer(old, Held, ErrorCode.NotFound, commitsKept: 2));
        ModelRelease newest = Commit();
        Answer(old, Held, ErrorCode.NotFound, commitsKept: 2);
        Fails("Waits", () => Answer(newest, Held, ErrorCode.NotFound, commitsKept: 2));
    }

    [Fact]
    public void Cannot_hold_needs_a_rejection_an_end_or_no_members()
    {
        ModelRelease release = Commit();
        Fails("Waits", () => Answer(release, CannotHold));
        _world.Second.Decide(_world.World.Scheduler.NowNs, release, "no");
        Answer(release, CannotHold);
        Fails("Waits", () => Answer(release, CannotHold, named: [("first", "rejected release 1: made up")]));
        Fails("Waits", () => Answer(release, CannotHold, named: [("first", "failed")]));
        ModelRelease next = Commit();
        _world.Commit(null, generation: 2);
        Answer(next, CannotHold);
    }

    [Fact]
    public void Timed_out_is_neither_early_nor_for_a_member_that_had_it_for_long()
    {
        ModelRelease release = Commit();
        Fails("Waits", () => Answer(release, TimedOut, timeoutNs: World.Second));
        _world.First.Reach(_world.World.Scheduler.NowNs, NodeLevel.Applied, release);
        Answer(release, TimedOut, named: [("first", "")]);
        _world.Advance(3 * World.Second);
        Answer(release, TimedOut, named: [("second", "")]);
        Fails("Waits", () => Answer(release, TimedOut, named: [("first", "")]));
    }

    [Fact]
    public void A_committed_release_is_not_refused_and_a_lost_one_may_be()
    {
        ModelRelease release = Commit();
        Fails("Waits", () => Answer(release, Held, ErrorCode.NotFound));
        Fails("Waits", () => Answer(release, Held, ErrorCode.Busy, text: "It is not known here yet."));
        Answer(release, Held, ErrorCode.Busy, text: "There is too much to do.");
        _world.Model.OnStarted(Application, null);
        Fails("Waits", () => Answer(release, Held, ErrorCode.NotFound));
        Answer(release, Held, ErrorCode.Busy, text: "It is not known here yet.");
        _isBare = true;
        Answer(release, Held, ErrorCode.NotFound);
        Fails("Waits", () => Answer(release, Held, ErrorCode.NotFound, text: ""));
    }

    [Fact]
    public void An_answer_about_another_generation_is_for_who_named_none_alone()
    {
        ModelRelease release = Commit();
        Fails("Waits", () => Answer(release, Held, generation: 2));
        _isBare = true;
        Answer(release, Held, generation: 2);
        Fails("Waits", () => Answer(release, Held));
    }

    [Fact]
    public void A_wait_that_is_never_answered_is_seen()
    {
        ModelRelease release = Commit();
        var checker = new WaitChecker(_world.World, _world.Model, _world.Members, Judges.None);
        checker.OnSent(Question(release, World.Second));
        _world.Advance(5 * World.Second);
        Fails("Waits", () => checker.OnSent(Question(release, World.Second)));
        Fails("Waits", () => checker.OnLost(Question(release, World.Second)));
        _world.Host.Crash();
        checker.OnLost(Question(release, World.Second));
    }

    [Fact]
    public void Held_by_other_predicates_means_what_they_say()
    {
        ModelRelease release = Commit();
        _term = OperatorTerm.Min(new LevelTerm(MemberSet.Node("first"), NodeLevel.Persisted));
        Fails("Waits", () => Answer(release, Held));
        _world.First.Reach(1, NodeLevel.Persisted, release);
        Answer(release, Held);
        _term = OperatorTerm.KthMax(PredicateCount.Of(2), new LevelTerm(MemberSet.All, NodeLevel.Persisted));
        Fails("Waits", () => Answer(release, Held));
        _term = OperatorTerm.Max(new LevelTerm(MemberSet.All.Without(MemberSet.Node("first")), NodeLevel.Received));
        Fails("Waits", () => Answer(release, Held));
        _term = OperatorTerm.Min(new LevelTerm(MemberSet.Replicas, NodeLevel.Persisted));
        Answer(release, Held);
        Fails("Waits", () => Answer(release, CannotHold));
    }

    [Fact]
    public void A_member_that_may_have_gone_makes_both_answers_possible()
    {
        ModelRelease release = Commit();
        _world.First.Reach(1, NodeLevel.Applied, release);
        _world.Second.Machine.Crash();
        Answer(release, Held);
        _term = OperatorTerm.KthMax(PredicateCount.Of(2), new LevelTerm(MemberSet.All, NodeLevel.Applied));
        Answer(release, CannotHold);
        Fails("Waits", () => Answer(release, Held));
        _term = OperatorTerm.Min(new LevelTerm(MemberSet.Node("second"), NodeLevel.Applied));
        Answer(release, Held, ErrorCode.InvalidPredicate);
        _term = OperatorTerm.Min(new LevelTerm(MemberSet.Node("first"), NodeLevel.Applied));
        Fails("Waits", () => Answer(release, Held, ErrorCode.InvalidPredicate));
    }

    [Fact]
    public void A_rejection_explains_only_waits_that_need_the_release_in_effect_there()
    {
        ModelRelease release = Commit();
        _world.Second.Decide(_world.World.Scheduler.NowNs, release, "no");
        _term = OperatorTerm.Min(new LevelTerm(MemberSet.All, NodeLevel.Persisted));
        Fails("Waits", () => Answer(release, CannotHold));
        _term = OperatorTerm.Max(new LevelTerm(MemberSet.All, NodeLevel.Applied));
        Fails("Waits", () => Answer(release, CannotHold));
        _term = OperatorTerm.Max(new LevelTerm(MemberSet.Node("second"), NodeLevel.Applied));
        Answer(release, CannotHold);
    }

    [Fact]
    public void A_wait_that_was_true_for_long_does_not_time_out()
    {
        ModelRelease release = Commit();
        _term = OperatorTerm.Max(new LevelTerm(MemberSet.All, NodeLevel.Received));
        _world.First.Reach(_world.World.Scheduler.NowNs, NodeLevel.Received, release);
        Answer(release, TimedOut);
        _world.Advance(3 * World.Second);
        Fails("Waits", () => Answer(release, TimedOut));
    }

    private ModelRelease Commit()
    {
        _world.Advance(20 * World.Second);
        return _world.Commit(_world.Publish(null, ("a", "1")));
    }

    private WaitQuestion Question(ModelRelease release, long timeoutNs) => new()
    {
        Release = release,
        Term = _term,
        Asker = _world.First.Machine,
        AskerLife = _world.First.Machine.StartCount,
        IsBare = _isBare,
        AskedNs = _world.World.Scheduler.NowNs,
        DeadlineNs = _world.World.Scheduler.NowNs + timeoutNs,
    };

    private void Answer(
        ModelRelease release,
        byte outcome,
        ErrorCode code = ErrorCode.None,
        Judges judges = Judges.None,
        long timeoutNs = 0,
        (string Name, string Reason)[]? named = null,
        string text = "why",
        int commitsKept = 1_024,
        uint generation = 1)
    {
        var checker = new WaitChecker(_world.World, _world.Model, _world.Members, judges, commitsKept);
        WaitQuestion question = Question(release, timeoutNs);
        checker.OnSent(question);
        WaitMember[] members = [.. (named ?? []).Select(n => new WaitMember(new NodeId(1, 1), n.Name, 0, n.Reason))];
        checker.OnAnswered(question, new WaitResult(1, code, text, outcome, 2, members, [], generation));
    }
}
