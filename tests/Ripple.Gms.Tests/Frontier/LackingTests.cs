using Ripple.Engine.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>What a predicate lacks of a release: by that a wait is left alone until it can have ended.</summary>
public sealed class LackingTests
{
    [Fact]
    public void Nothing_is_lacking_if_and_only_if_the_value_is_the_release_and_never_more_than_it_takes()
    {
        int exact = 0;
        int held = 0;
        for (ulong seed = 1; seed <= 3_000; seed++)
        {
            RandomTable random = new(new DeterministicRandom(seed), membersMax: 12, valueMax: 3);
            string text = random.MakePredicate(depth: 3).Text;
            if (text.Length > PredicateLimits.TextCharsMax)
            {
                continue;
            }

            BoundPredicate bound = Tables.Bind(random.Table, text);
            ulong release = 1 + (ulong)random.Random.NextInt32(3);
            WatchedRelease watched = random.Table.Crossings.Watch(release);
            long lacking = bound.Lacking(release);
            for (int step = 0; step < 60 && bound.Evaluate() < release; step++)
            {
                Assert.True(bound.Lacking(release) > 0, $"seed {seed}: {text} lacks nothing of {release} at {bound.Evaluate()}");
                random.AdvanceOne();
            }

            if (bound.Evaluate() >= release)
            {
                long reached = watched.ReachedIn(bound.SlotsRead);
                Assert.True(lacking <= reached, $"seed {seed}: {text} lacked {lacking} of {release}, and {reached} were enough");
                Assert.Equal(0, bound.Lacking(release));
                exact += lacking == reached && lacking > 1 ? 1 : 0;
                held += lacking > 0 ? 1 : 0;
            }
        }

        Assert.True(held > 500 && exact > 20, $"{held} came to hold, {exact} of them by exactly what they lacked: too few to prove much");
    }

    [Fact]
    public void The_bound_of_what_can_still_be_is_that_of_a_naive_evaluator()
    {
        int free = 0;
        int bounded = 0;
        for (ulong seed = 1; seed <= 3_000; seed++)
        {
            var random = new DeterministicRandom(seed);
            RandomTable some = new(random, membersMax: 8, valueMax: 3);
            (string text, Func<Func<int, int, ulong>, ulong> naive) = some.MakePredicate(depth: 3);
            if (text.Length > PredicateLimits.TextCharsMax)
            {
                continue;
            }

            BoundPredicate bound = Tables.Bind(some.Table, text, countLeft: true);
            const ulong Release = 2;
            foreach (FrontierRow row in some.Rows)
            {
                if (random.NextBool(0.1))
                {
                    some.Table.SetStatus(row, MemberStatus.Left);
                }
                else if (random.NextBool(0.1))
                {
                    some.Table.Reject(row, 1, Release, "no", isDirect: random.NextBool(0.5));
                }
            }

            ulong Reachable(int member, int slot) =>
                some.Rows[member].CanReach(slot, Release) ? ulong.MaxValue : some.Read(member, slot);
            ulong upper = bound.EvaluateUpperBound(Release);
            Assert.True(naive(Reachable) == upper, $"seed {seed}: {text} can be {upper} at most, and is said to be {naive(Reachable)}");
            free += upper >= Release ? 1 : 0;
            bounded += upper < Release ? 1 : 0;
        }

        Assert.True(free > 500 && bounded > 200, $"{free} can still hold, {bounded} cannot: too few to prove much");
    }

    [Fact]
    public void Where_everybody_can_still_come_to_it_each_member_is_looked_at_once()
    {
        FrontierTable table = Tables.OfNodes(new ulong[100]);
        BoundPredicate bound = Tables.Bind(table, $"MIN({string.Join(", ", Enumerable.Repeat("$ALL", 300))})");
        Assert.False(bound.IsEmpty);
        long before = table.ValuesRead;
        Assert.Equal(ulong.MaxValue, bound.EvaluateUpperBound(1));
        Assert.Equal(100, table.ValuesRead - before);
        table.SetStatus(table.Rows[7], MemberStatus.Left);
        Assert.Equal(ulong.MaxValue, bound.EvaluateUpperBound(1));
    }

    [Theory]
    [InlineData("MIN($ALL)", 3)]
    [InlineData("MAX($ALL)", 0)]
    [InlineData("KTH_MAX(3, $ALL)", 2)]
    [InlineData("KTH_MIN(3, $ALL)", 1)]
    [InlineData("KTH_MIN(2, $ALL)", 2)]
    [InlineData("MIN(MAX($ALL), $ALL, $NODE_n1)", 3)]
    [InlineData("MAX($ALL.applied)", 1)]
    [InlineData("KTH_MAX(4, $ALL, $ALL.applied)", 2)]
    public void It_counts_the_values_of_rows(string text, long lacking)
    {
        FrontierTable table = Tables.OfNodes(1, 1, 1, 0);
        Tables.Received(table, table.Rows[3], 2);
        Assert.Equal(lacking, Tables.Bind(table, text).Lacking(2));
    }

    [Fact]
    public void Of_operands_that_must_all_have_it_the_one_that_was_short_is_read_first()
    {
        FrontierTable table = Tables.OfNodes(1, 1, 1, 1);
        BoundPredicate bound = Tables.Bind(table, "MIN($ALL, $ALL, $ALL, $ALL, $NODE_n4.applied)");
        foreach (FrontierRow row in table.Rows)
        {
            Tables.Received(table, row, 2);
        }

        // The sets are written down before.
        Assert.False(bound.IsEmpty);
        Assert.Equal(17, ReadFor(() => Assert.Equal(1, bound.Lacking(2))));
        Assert.Equal(1, ReadFor(() => Assert.Equal(1, bound.Lacking(2))));

        long ReadFor(Action look)
        {
            long before = table.ValuesRead;
            look();
            return table.ValuesRead - before;
        }
    }

    [Fact]
    public void A_level_of_the_application_s_own_grows_with_what_was_received()
    {
        FrontierTable table = Tables.OfNodes(1, 1);
        table.AddLevels(["checked"]);
        int level = table.Levels.IndexOf("checked");
        WaitRig rig = new(table);
        rig.Start("MIN($ALL.checked)", 2);
        Assert.True(table.Claim(table.Rows[0], 1, level, 2));
        Assert.True(table.Claim(table.Rows[1], 1, level, 2));
        rig.Evaluate();
        Assert.Empty(rig.Results);
        Tables.Received(table, table.Rows[0], 2);
        Tables.Received(table, table.Rows[1], 2);
        rig.Evaluate();
        Assert.Single(rig.Results);
    }

    [Fact]
    public void A_wait_watches_its_release_until_it_ends()
    {
        WaitRig rig = new(Tables.OfNodes(1, 1));
        rig.Start("MIN($ALL)", 2);
        rig.Start("MIN($ALL)", 2);
        rig.Waits.Cancel(rig.Start("MAX($ALL)", 3));
        rig.Start("MIN($ALL)", 1);
        Assert.Equal(1, rig.Table.Crossings.Count);
        Tables.Received(rig.Table, rig.Row(0), 3);
        Tables.Received(rig.Table, rig.Row(1), 3);
        rig.Evaluate();
        Assert.Equal(3, rig.Results.Count);
        Assert.Equal(0, rig.Table.Crossings.Count);
        rig.Start("MIN($ALL)", 4);
        rig.Waits.Close();
        Assert.Equal(0, rig.Table.Crossings.Count);
    }

    [Fact]
    public void What_nobody_waits_for_and_less_than_a_wait_lacks_costs_nothing_but_progress()
    {
        WaitRig rig = new(Tables.OfNodes(new ulong[100]));
        rig.Start(rig.Request("MIN($ALL)", 5) with { OnProgress = null });
        Tables.Received(rig.Table, rig.Row(0), 4);
        long settled = rig.Table.ValuesRead;
        rig.Evaluate();
        Assert.Equal(settled, rig.Table.ValuesRead);
        for (int i = 0; i < 99; i++)
        {
            Tables.Received(rig.Table, rig.Row(i), 5);
            rig.Evaluate();
        }

        Assert.InRange(rig.Table.ValuesRead - settled, 99, 10 * 99);
        Tables.Received(rig.Table, rig.Row(99), 5);
        rig.Evaluate();
        Assert.Single(rig.Results);
    }
}
