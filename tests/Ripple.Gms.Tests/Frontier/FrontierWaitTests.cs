using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Frontier.Waits;

namespace Ripple.Gms.Tests.Frontier;

public sealed class FrontierWaitTests
{
    [Fact]
    public void A_wait_is_held_once_when_the_last_member_has_the_release()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6, 5));
        FrontierWait wait = rig.Start("MIN($ALL)", 7);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        Assert.Equal((1, 3), (rig.Progress[0].Holding, rig.Progress[0].Total));
        Assert.Equal(["n2", "n3"], rig.Progress[0].Behind);
        Tables.Received(rig.Table, rig.Row(1), 9);
        rig.Evaluate();
        Tables.Received(rig.Table, rig.Row(2), 6);
        rig.Evaluate();
        Assert.Equal(2, rig.Progress.Count);
        Assert.Equal(["n3"], rig.Progress[1].Behind);
        Tables.Received(rig.Table, rig.Row(2), 7);
        Assert.Empty(rig.Results);
        rig.Evaluate();
        Tables.Received(rig.Table, rig.Row(2), 8);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal((FrontierWaitOutcome.Held, 7UL, 3, 3), (result.Outcome, result.Value, result.Holding, result.Total));
        Assert.Empty(result.Members);
        Assert.True(wait.IsEnded);
        Assert.Equal(0, rig.Waits.Count);
    }

    [Fact]
    public void What_holds_already_ends_before_the_start_returns()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6));
        Assert.True(rig.Start("MAX($ALL)", 7).IsEnded);
        Assert.Equal(FrontierWaitOutcome.Held, rig.Results.Single().Outcome);
        Assert.Equal(0, rig.Waits.Count);
    }

    [Fact]
    public void A_wait_is_bound_to_the_members_of_its_start_or_to_those_it_is_given()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6));
        FrontierWaitRequest request = rig.Request("MIN($ALL)", 7) with { Members = [rig.Row(0)] };
        Assert.True(rig.Start(request).IsEnded);
        rig.Start("MIN($ALL)", 7);
        Tables.Add(rig.Table, 9, "joiner");
        Tables.Received(rig.Table, rig.Row(1), 7);
        rig.Evaluate();
        Assert.All(rig.Results, result => Assert.Equal(FrontierWaitOutcome.Held, result.Outcome));
        Assert.Equal([1, 2], rig.Results.Select(result => result.Total));
    }

    [Fact]
    public void A_rejection_ends_a_wait_that_needs_the_member_and_names_it_with_its_reason()
    {
        WaitRig rig = new(Tables.OfNodes(6, 6, 7));
        rig.Start("MIN(applied)", 7);
        rig.Start("KTH_MAX(2, applied)", 7);
        rig.Start("MIN(received)", 8);
        rig.Table.Reject(rig.Row(0), 1, 7, "MaxBatch must be positive", isDirect: false);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal(FrontierWaitOutcome.CannotHold, result.Outcome);
        FrontierWaitMember member = Assert.Single(result.Members);
        Assert.Equal(
            (rig.Row(0).Member.Node, "n1", 6UL, "rejected release 7: MaxBatch must be positive"),
            (member.Node, member.Name, member.Value, member.Reason));
        Assert.Contains("1 of 3", result.Text, StringComparison.Ordinal);
        Assert.Equal((1, 3), (result.Holding, result.Total));
        Assert.Equal(2, rig.Waits.Count);
    }

    [Fact]
    public void A_rejection_that_only_a_ring_told_ends_no_wait_for_direct_evidence()
    {
        WaitRig rig = new(Tables.OfNodes(6, 6));
        rig.Start("MIN($ALL.applied.direct)", 7);
        rig.Table.Reject(rig.Row(0), 1, 7, "a lie", isDirect: false);
        rig.Evaluate();
        Assert.Empty(rig.Results);

        rig.Table.Reject(rig.Row(0), 1, 7, "no", isDirect: true);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal(FrontierWaitOutcome.CannotHold, result.Outcome);
        Assert.Equal("rejected release 7: no", result.Members[0].Reason);
    }

    [Fact]
    public void An_accepted_release_supersedes_a_rejected_one_for_waits_that_go_on_and_for_later_ones()
    {
        WaitRig rig = new(Tables.OfNodes(6, 6, 6));
        rig.Table.Reject(rig.Row(0), 1, 7, "no", isDirect: false);
        rig.Start("KTH_MAX(2, applied)", 7);
        rig.Evaluate();
        Tables.Applied(rig.Table, rig.Row(0), 8);
        Tables.Applied(rig.Table, rig.Row(1), 7);
        rig.Evaluate();
        Assert.Equal(FrontierWaitOutcome.Held, Assert.Single(rig.Results).Outcome);
        Assert.False(rig.Start("MIN(applied)", 7).IsEnded);
        Assert.False(rig.Start("MIN($ALL.applied.direct)", 7).IsEnded);
        Tables.Applied(rig.Table, rig.Row(2), 7);
        rig.Evaluate();
        Assert.Equal([FrontierWaitOutcome.Held, FrontierWaitOutcome.Held], rig.Results.Select(r => r.Outcome));
    }

    [Fact]
    public void A_rejection_known_at_the_start_ends_the_wait_at_once()
    {
        WaitRig rig = new(Tables.OfNodes(6, 7));
        rig.Table.Reject(rig.Row(0), 1, 7, "no", isDirect: false);
        Assert.True(rig.Start("MIN(applied)", 7).IsEnded);
        Assert.Equal(FrontierWaitOutcome.CannotHold, rig.Results.Single().Outcome);
    }

    [Fact]
    public void Members_that_left_or_failed_are_discounted_and_listed()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6, 5));
        rig.Start("MIN($ALL)", 7);
        rig.Table.SetStatus(rig.Row(1), MemberStatus.Left);
        rig.Table.SetStatus(rig.Row(2), MemberStatus.Silent);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        Assert.Equal((1, 2), (rig.Progress[^1].Holding, rig.Progress[^1].Total));
        rig.Table.SetStatus(rig.Row(2), MemberStatus.Failed);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal((FrontierWaitOutcome.Held, 1, 1), (result.Outcome, result.Holding, result.Total));
        Assert.Equal([("n2", 6UL, "left"), ("n3", 5UL, "failed")], result.Discounted.Select(m => (m.Name, m.Value, m.Reason)));
    }

    [Fact]
    public void A_member_whose_row_was_removed_counts_as_left()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6));
        rig.Start("MIN($ALL)", 7);
        rig.Table.Remove(rig.Row(1));
        rig.Evaluate();
        Assert.Equal("left", Assert.Single(Assert.Single(rig.Results).Discounted).Reason);
    }

    [Fact]
    public void With_CountLeft_members_that_go_end_the_wait_and_are_named()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6, 7));
        rig.Start("MIN($ALL)", 7, countLeft: true);
        rig.Table.SetStatus(rig.Row(0), MemberStatus.Left);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        rig.Table.SetStatus(rig.Row(1), MemberStatus.Failed);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal(FrontierWaitOutcome.CannotHold, result.Outcome);
        Assert.Equal([("n2", 6UL, "failed")], result.Members.Select(m => (m.Name, m.Value, m.Reason)));
        Assert.Empty(result.Discounted);
    }

    [Fact]
    public void When_every_member_left_the_wait_cannot_hold()
    {
        WaitRig rig = new(Tables.OfNodes(3, 3));
        rig.Start("MIN($ALL)", 7);
        rig.Table.SetStatus(rig.Row(0), MemberStatus.Left);
        rig.Table.SetStatus(rig.Row(1), MemberStatus.Failed);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal((FrontierWaitOutcome.CannotHold, "Every member left or failed.", 0), (result.Outcome, result.Text, result.Total));
        Assert.Equal(["left", "failed"], result.Members.Select(m => m.Reason));
        Assert.Equal(2, result.Discounted.Count);
    }

    [Fact]
    public void A_k_that_too_few_are_left_for_ends_the_wait_and_names_who_went()
    {
        WaitRig rig = new(Tables.OfNodes(7, 7, 3));
        rig.Start("KTH_MAX(3, $ALL)", 7);
        rig.Start("KTH_MAX(SIZEOF($ALL), $ALL)", 7);
        rig.Table.SetStatus(rig.Row(2), MemberStatus.Left);
        rig.Evaluate();
        Assert.Equal([FrontierWaitOutcome.CannotHold, FrontierWaitOutcome.Held], rig.Results.Select(r => r.Outcome));
        Assert.Equal("n3", Assert.Single(rig.Results[0].Members).Name);
        Assert.Contains("must be from 1 to 2", rig.Results[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_new_generation_ends_waits_on_the_old_one()
    {
        WaitRig rig = new(Tables.OfNodes(3, 3));
        rig.Start("MIN($ALL)", 7);
        // A member's word alone for a newer generation ends nothing.
        rig.Table.Advance(rig.Row(0), 2, FrontierLevels.Received, 9, isDirect: true);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        rig.Table.BeginGeneration(2);
        rig.Evaluate();
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal(FrontierWaitOutcome.CannotHold, result.Outcome);
        Assert.Contains("the application is in generation 2", result.Text, StringComparison.Ordinal);
        Assert.True(rig.Start("MIN($ALL)", 8, generation: 1).IsEnded);
    }

    [Fact]
    public void A_wait_on_a_generation_that_is_not_known_yet_counts_nothing_until_it_begins()
    {
        WaitRig rig = new(Tables.OfNodes(9, 9));
        rig.Start("MIN($ALL)", 9, generation: 2);
        rig.Table.SetStatus(rig.Row(0), MemberStatus.Silent);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        Assert.Equal((0, 2), (rig.Progress[0].Holding, rig.Progress[0].Total));
        rig.Table.BeginGeneration(2);
        rig.Evaluate();
        Assert.Empty(rig.Results);
        Tables.Received(rig.Table, rig.Row(0), 9);
        Tables.Received(rig.Table, rig.Row(1), 9);
        rig.Evaluate();
        Assert.Equal(FrontierWaitOutcome.Held, Assert.Single(rig.Results).Outcome);
    }

    [Fact]
    public void What_the_gone_had_in_an_older_generation_counts_no_more()
    {
        WaitRig rig = new(Tables.OfNodes(9, 9));
        rig.Table.SetStatus(rig.Row(0), MemberStatus.Left);
        FrontierWaitRequest request = rig.Request("MAX($ALL)", 9, countLeft: true, generation: 2) with { Members = [rig.Row(0)] };
        rig.Start(request);
        rig.Table.Remove(rig.Row(0));
        rig.Table.BeginGeneration(2);
        rig.Evaluate();
        Assert.Equal(FrontierWaitOutcome.CannotHold, Assert.Single(rig.Results).Outcome);
    }

    [Fact]
    public void Time_runs_out_by_the_cores_alarm_and_those_behind_are_named()
    {
        WaitRig rig = new(Tables.OfNodes(7, 6, 5, 4));
        rig.Table.SetStatus(rig.Row(2), MemberStatus.Silent);
        rig.Table.SetStatus(rig.Row(3), MemberStatus.Left);
        rig.Loop.DoWork(1_000);
        rig.Start("MIN($ALL)", 7, timeoutNs: 500);
        rig.Start("MIN($ALL)", 8, timeoutNs: 900);
        rig.Start("MIN($ALL)", 7);
        Assert.Equal(1_500, rig.Loop.NextDueNs);
        rig.Loop.DoWork(1_499);
        Assert.Empty(rig.Results);
        rig.Loop.DoWork(1_500);
        FrontierWaitResult result = Assert.Single(rig.Results);
        Assert.Equal((FrontierWaitOutcome.TimedOut, 5UL, 1, 3), (result.Outcome, result.Value, result.Holding, result.Total));
        Assert.Equal([("n2", 6UL, ""), ("n3", 5UL, "silent")], result.Members.Select(m => (m.Name, m.Value, m.Reason)));
        Assert.Equal(1_900, rig.Loop.NextDueNs);
        rig.Loop.DoWork(5_000);
        Assert.Equal(FrontierWaitOutcome.TimedOut, rig.Results[1].Outcome);
        Assert.Equal(1, rig.Waits.Count);
        Assert.Equal(long.MaxValue, rig.Loop.NextDueNs);
    }

    [Fact]
    public void What_holds_when_the_time_is_up_is_held()
    {
        WaitRig rig = new(Tables.OfNodes(6));
        rig.Start("MIN($ALL)", 7, timeoutNs: 500);
        Tables.Received(rig.Table, rig.Row(0), 7);
        rig.Loop.DoWork(500);
        Assert.Equal(FrontierWaitOutcome.Held, Assert.Single(rig.Results).Outcome);
        rig.Start("MIN($ALL)", 8, timeoutNs: 0);
        Assert.Equal(FrontierWaitOutcome.TimedOut, rig.Results[1].Outcome);
        Assert.False(rig.Start("MIN($ALL)", 8, timeoutNs: long.MaxValue).IsEnded);
    }

    [Fact]
    public void A_cancelled_wait_says_nothing_and_close_cancels_all()
    {
        WaitRig rig = new(Tables.OfNodes(6));
        FrontierWait wait = rig.Start("MIN($ALL)", 7, timeoutNs: 500);
        rig.Start("MIN($ALL)", 7, timeoutNs: 800);
        rig.Waits.Cancel(wait);
        Assert.Equal(1, rig.Waits.Count);
        rig.Waits.Close();
        Assert.Equal(0, rig.Waits.Count);
        Assert.Equal(long.MaxValue, rig.Loop.NextDueNs);
        Tables.Received(rig.Table, rig.Row(0), 7);
        rig.Evaluate();
        rig.Loop.DoWork(1_000);
        Assert.Empty(rig.Results);
    }

    [Fact]
    public void Callbacks_may_start_and_cancel_waits()
    {
        WaitRig rig = new(Tables.OfNodes(6));
        FrontierWait? other = null;
        List<string> log = [];
        rig.Start(rig.Request("MIN($ALL)", 7) with
        {
            OnEnded = (_, _) =>
            {
                log.Add("first");
                rig.Waits.Cancel(other!);
                rig.Start(rig.Request("MIN($ALL)", 7) with { OnEnded = (_, _) => log.Add("inner, at once") });
                rig.Start(rig.Request("MIN($ALL)", 8) with { OnEnded = (_, _) => log.Add("inner, later") });
                Tables.Received(rig.Table, rig.Row(0), 8);
                rig.Evaluate();
            },
        });
        other = rig.Start(rig.Request("MIN($ALL)", 7) with { OnEnded = (_, _) => log.Add("cancelled") });
        Tables.Received(rig.Table, rig.Row(0), 7);
        rig.Evaluate();
        Assert.Equal(["first", "inner, at once", "inner, later"], log);
        Assert.Equal(0, rig.Waits.Count);
    }

    [Fact]
    public void The_number_of_waits_is_bounded_and_bad_ones_do_not_start()
    {
        WaitRig rig = new(Tables.OfNodes(6));
        Assert.False(rig.Waits.TryStart(rig.Request("MIN($ALL)", 0), out _, out PredicateError? error));
        Assert.Contains("numbered from 1", error.Message, StringComparison.Ordinal);
        Assert.False(rig.Waits.TryStart(rig.Request("MIN($HOSTS)", 7), out _, out error));
        Assert.Contains("no members", error.Message, StringComparison.Ordinal);
        for (int i = 0; i < FrontierWaits.WaitsMax; i++)
        {
            rig.Start("MIN($ALL)", 7);
        }

        Assert.False(rig.Waits.TryStart(rig.Request("MIN($ALL)", 7), out _, out error));
        Assert.Contains("4096 waits", error.Message, StringComparison.Ordinal);
        Tables.Received(rig.Table, rig.Row(0), 7);
        rig.Evaluate();
        Assert.Equal(FrontierWaits.WaitsMax, rig.Results.Count);
        Assert.Equal(0, rig.Waits.Count);
    }

    [Fact]
    public void Waits_are_looked_at_only_when_the_table_changed_and_names_behind_are_bounded()
    {
        WaitRig rig = new(Tables.OfNodes(new ulong[700]));
        rig.Start("MIN($ALL)", 1, timeoutNs: 100);
        rig.Evaluate();
        rig.Evaluate();
        Assert.Equal(FrontierWaitProgress.NamesMax, Assert.Single(rig.Progress).Behind.Count);
        rig.Loop.DoWork(100);
        Assert.Equal((FrontierWaitResult.NamesMax, 0, 700), (rig.Results[0].Members.Count, rig.Results[0].Holding, rig.Results[0].Total));
    }

    [Fact]
    public void An_evaluation_in_parts_goes_on_where_it_ended_and_sees_what_changed_meanwhile()
    {
        WaitRig rig = new(Tables.OfNodes(new ulong[50]));
        List<int> ended = [];
        for (int i = 0; i < 6; i++)
        {
            int number = i;
            // Other numbers of spaces: other texts, of which no two share a value.
            rig.Start(rig.Request($"MIN({new string(' ', i)}$ALL)", 1) with { OnEnded = (_, _) => ended.Add(number) });
        }

        foreach (FrontierRow row in rig.Table.Rows)
        {
            Tables.Received(rig.Table, row, 1);
        }

        Assert.False(rig.Waits.Evaluate(1));
        Assert.Equal([0], ended);
        Assert.False(rig.Waits.Evaluate(1));
        Assert.Equal([0, 1], ended);
        Tables.Received(rig.Table, rig.Row(3), 2);
        Assert.True(rig.Waits.Evaluate(long.MaxValue));
        Assert.Equal([0, 1, 2, 3, 4, 5], ended);
        long settled = rig.Table.ValuesRead;
        Assert.True(rig.Waits.Evaluate(1));
        Assert.Equal(settled, rig.Table.ValuesRead);
    }

    [Fact]
    public void A_part_of_an_evaluation_is_not_over_before_waits_that_did_not_end_saw_the_change()
    {
        WaitRig rig = new(Tables.OfNodes(new ulong[50]));
        for (int i = 0; i < 3; i++)
        {
            rig.Start($"MIN({new string(' ', i)}$ALL)", 1);
        }

        rig.Progress.Clear();
        Tables.Received(rig.Table, rig.Row(0), 1);
        Assert.False(rig.Waits.Evaluate(1));
        Assert.Single(rig.Progress);
        Tables.Received(rig.Table, rig.Row(1), 1);
        int looks = 1;
        for (; !rig.Waits.Evaluate(1); looks++)
        {
            Assert.InRange(looks, 0, 10);
        }

        // The first has seen one change and then the other, the second and the third both together.
        Assert.Equal([1, 2, 2, 2], rig.Progress.Select(p => p.Holding));
    }

    [Fact]
    public void What_a_member_says_again_is_no_obstacle()
    {
        FrontierTable table = Tables.OfNodes(1);
        WatchedRelease watched = table.Crossings.Watch(2);
        Assert.True(table.Reject(table.Rows[0], 1, 2, "no", isDirect: true));
        Assert.Equal(1, watched.RejectionCount);
        Assert.False(table.Reject(table.Rows[0], 1, 2, "no", isDirect: true));
        Assert.False(table.Reject(table.Rows[0], 0, 2, "of an older generation", isDirect: true));
        Assert.True(table.Reject(table.Rows[0], 1, 3, "of another release", isDirect: true));
        Assert.Equal(1, watched.RejectionCount);
    }

    [Fact]
    public void Waits_with_one_text_over_one_list_of_members_share_their_evaluation()
    {
        WaitRig rig = new(Tables.OfNodes(1, 1, 1));
        IReadOnlyList<FrontierRow> members = rig.Table.CurrentMembers();
        BoundPredicate first = rig.Start(rig.Request("MIN($ALL)", 2) with { Members = members }).Bound;
        Assert.Same(first, rig.Start(rig.Request("MIN($ALL)", 3) with { Members = members }).Bound);
        Assert.NotSame(first, rig.Start("MIN($ALL)", 2).Bound);
        Assert.NotSame(first, rig.Start(rig.Request("MIN($ALL)", 2, countLeft: true) with { Members = members }).Bound);
        Assert.Same(rig.Start("MIN($ALL)", 2).Bound, rig.Start("MIN($ALL)", 3).Bound);
        Tables.Add(rig.Table, 9, "joiner");
        Assert.Equal(4, rig.Start("MIN($ALL)", 2).Bound.Members.Count);
        Assert.Equal(3, rig.Start(rig.Request("MIN($ALL)", 2) with { Members = members }).Bound.Members.Count);
    }

    [Fact]
    public void Only_members_that_the_predicate_names_are_counted()
    {
        WaitRig rig = new(Tables.OfNodes(1, 1, 1));
        rig.Start("MIN($NODE_n1, $NODE_n2.applied)", 2);
        Assert.Equal((0, 2), (rig.Progress[0].Holding, rig.Progress[0].Total));
        Tables.Received(rig.Table, rig.Row(1), 2);
        rig.Evaluate();
        // Not at the level that is read of it.
        Assert.Single(rig.Progress);
        rig.Table.SetStatus(rig.Row(2), MemberStatus.Left);
        Tables.Applied(rig.Table, rig.Row(1), 2);
        Tables.Received(rig.Table, rig.Row(0), 2);
        rig.Evaluate();
        Assert.Equal((FrontierWaitOutcome.Held, 0), (rig.Results[0].Outcome, rig.Results[0].Discounted.Count));
    }
}
