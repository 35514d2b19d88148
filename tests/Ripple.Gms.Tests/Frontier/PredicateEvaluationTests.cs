using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

public sealed class PredicateEvaluationTests
{
    [Theory]
    [InlineData("MIN($ALL)", 2)]
    [InlineData("MAX($ALL)", 9)]
    [InlineData("KTH_MIN(1, $ALL)", 2)]
    [InlineData("KTH_MIN(2, $ALL)", 4)]
    [InlineData("KTH_MIN(4, $ALL)", 9)]
    [InlineData("KTH_MAX(1, $ALL)", 9)]
    [InlineData("KTH_MAX(2, $ALL)", 7)]
    [InlineData("KTH_MAX(SIZEOF($ALL)/2+1, $ALL)", 4)]
    [InlineData("KTH_MAX(SIZEOF($ALL)*2-7+1*2, $ALL)", 4)]
    [InlineData("KTH_MAX((SIZEOF($ALL - $NODE_n1)), $ALL)", 4)]
    [InlineData("MIN($ALL - $NODE_n3)", 4)]
    [InlineData("MAX($ALL - $NODE_n1 - $NODE_n2)", 7)]
    [InlineData("MAX($ALL - ($ALL - $NODE_n2))", 4)]
    [InlineData("MIN(MAX($NODE_n1, $NODE_n2), MAX($NODE_n3, $NODE_n4))", 7)]
    [InlineData("MIN(MIN($ALL))", 2)]
    public void Operators_give_what_their_names_say(string text, int expected)
    {
        // n1 = 9, n2 = 4, n3 = 2, n4 = 7
        FrontierTable table = Tables.OfNodes(9, 4, 2, 7);
        Assert.Equal((ulong)expected, Tables.Evaluate(table, text));
    }

    [Fact]
    public void Levels_are_read_where_they_are_asked_for_and_received_is_the_default()
    {
        FrontierTable table = Tables.OfNodes(0);
        FrontierRow row = table.Rows[0];
        table.Report(row, 1, 30, 20, 10, isDirect: false);
        table.Report(row, 1, 3, 2, 1, isDirect: true);
        (string Suffix, ulong Value)[] expected =
        [
            ("", 30), (".received", 30), (".persisted", 20), (".applied", 10),
            (".direct", 3), (".received.direct", 3), (".persisted.direct", 2), (".applied.direct", 1),
        ];
        Assert.All(expected, e => Assert.Equal(e.Value, Tables.Evaluate(table, $"MIN($ALL{e.Suffix})")));
        Assert.Equal(10UL, Tables.Evaluate(table, "MIN(applied)"));
        PredicateError error = Tables.BindError(table, "MIN($ALL.verified)");
        Assert.Equal(8, error.Position);
        Assert.Contains("received, persisted, applied", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Selectors_select_by_zone_label_home_name_and_role_and_an_area_is_its_zone()
    {
        FrontierTable table = new("a", 1);
        Set(Tables.Add(table, 1, "web", "eu-1", hostName: "h1", labels: ("ring", "canary")), 1);
        Set(Tables.Add(table, 2, "api", "eu-2", hostName: "h2", labels: [("ring", "wide"), ("os", "linux")]), 2);
        Set(Tables.Add(table, 3, "job", "us", hostName: "h1", labels: ("ring", "wide")), 3);
        Set(Tables.Add(table, 4, "h1", "eu-1", isHost: true, isReplica: true), 40);
        Set(Tables.Add(table, 5, "h2", "us", isHost: true), 50);
        (string Text, ulong Value)[] expected =
        [
            ("MIN($ALL)", 1), ("MAX($ALL)", 3), ("MAX($ZONE(\"eu-1\"))", 1), ("MAX($AREA(\"eu-2\"))", 2), ("MIN($AREA_us)", 3),
            ("MIN($LABEL(\"ring\",\"wide\"))", 2),
            ("MAX($LABEL(\"ring\",\"wide\") - $LABEL(\"os\",\"linux\"))", 3), ("MAX($HOME_h1)", 3), ("MAX($NODE_api)", 2),
            ("MIN($NODE_h1)", 40),
            ("MIN($HOSTS)", 40), ("MAX($HOSTS)", 50), ("MAX($REPLICAS)", 40), ("MIN($HOSTS - $REPLICAS)", 50),
            ("MIN($ALLWNODES)", 40), ("MAX($AZ_us)", 50),
        ];
        Assert.All(expected, e => Assert.Equal(e.Value, Tables.Evaluate(table, e.Text)));

        void Set(FrontierRow row, ulong value) => Tables.Received(table, row, value);
    }

    [Fact]
    public void A_wan_node_is_at_the_least_of_its_zones_hosts_and_is_numbered_by_zone_name()
    {
        FrontierTable table = new("a", 1);
        Tables.Received(table, Tables.Add(table, 1, "b1", "b", isHost: true), 10);
        Tables.Received(table, Tables.Add(table, 2, "b2", "b", isHost: true), 4);
        Tables.Received(table, Tables.Add(table, 3, "a1", "a", isHost: true), 7);
        Tables.Received(table, Tables.Add(table, 4, "c1", "c", isHost: true), 1);
        Tables.Received(table, Tables.Add(table, 5, "client", "a"), 99);
        Assert.Equal(4UL, Tables.Evaluate(table, "MAX($WNODE_b)"));
        Assert.Equal(7UL, Tables.Evaluate(table, "MAX($1)"));
        Assert.Equal(4UL, Tables.Evaluate(table, "MAX($2)"));
        Assert.Equal(1UL, Tables.Evaluate(table, "MAX($3)"));
        Assert.Equal(7UL, Tables.Evaluate(table, "MAX($ALLWNODES)"));
        Assert.Equal(4UL, Tables.Evaluate(table, "KTH_MAX(SIZEOF($ALLWNODES)/2+1, $ALLWNODES)"));
        Assert.Contains("no members", Tables.BindError(table, "MIN($MYAZWNODES - $MYWNODE)", "b").Message, StringComparison.Ordinal);
        Assert.Equal(1UL, Tables.Evaluate(table, "MIN($MYAZWNODES)", "c"));
        Assert.Contains("$1 a, $2 b, $3 c", Tables.BindError(table, "MAX($4)").Message, StringComparison.Ordinal);
        Assert.Contains("has none", Tables.BindError(table, "MAX($MYWNODE)").Message, StringComparison.Ordinal);
        Assert.Contains("$ZONE", Tables.BindError(table, "MAX($WNODE_d)").Message, StringComparison.Ordinal);
    }

    /// <summary>
    /// The four regions of Fig. 2, each with two hosts; the sender's is North California. The paper groups zones into regions; here a
    /// region is one zone, so that its last expression, which takes the sender's zone out of its region, has nothing left.
    /// </summary>
    [Fact]
    public void The_papers_table_III_parses_and_evaluates_with_a_zone_for_each_region()
    {
        FrontierTable table = new("a", 1);
        (string Zone, ulong Value)[] hosts =
        [
            ("North_California", 100), ("North_California", 95), ("Oregon", 80), ("Oregon", 82),
            ("Ohio", 60), ("Ohio", 58), ("North_Virginia", 40), ("North_Virginia", 45),
        ];
        for (int i = 0; i < hosts.Length; i++)
        {
            Tables.Received(table, Tables.Add(table, (ulong)i + 1, $"h{i}", hosts[i].Zone, isHost: true), hosts[i].Value);
        }

        (string Text, ulong Value)[] expected =
        [
            ("MAX(MAX($AZ_North_Virginia),MAX($AZ_Oregon),MAX($AZ_Ohio))", 80),
            ("KTH_MAX(2,MAX($AZ_North_Virginia),MAX($AZ_Oregon),MAX($AZ_Ohio))", 58),
            ("MIN(MAX($AZ_North_Virginia),MAX($AZ_Oregon),MAX($AZ_Ohio))", 40),
            ("MAX($ALLWNODES-$MYWNODE)", 80),
            ("KTH_MAX(SIZEOF($ALLWNODES)/2+1, ($ALLWNODES-$MYWNODE))", 40),
            ("MIN($ALLWNODES-$MYWNODE)", 40),
            ("KTH_MIN((SIZEOF($ALLWNODES)/2+1), $ALLWNODES)", 80),
            ("MAX($WNODE_Ohio, $4)", 80),
            ("MIN($MYAZWNODES)", 95),
        ];
        Assert.All(expected, e => Assert.Equal(e.Value, Tables.Evaluate(table, e.Text, "North_California")));
        const string Last = "MIN(MIN($MYAZWNODES - $MYWNODE), MAX($ALLWNODES - $MYAZWNODES))";
        PredicateError error = Tables.BindError(table, Last, "North_California");
        Assert.Contains("no members", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_papers_majority_is_met_by_half_when_the_number_is_even()
    {
        // Two of four have release 10: no majority.
        FrontierTable table = Tables.OfNodes(10, 10, 3, 3);
        Assert.Equal(10UL, Tables.Evaluate(table, "KTH_MIN(SIZEOF($ALL)/2+1, $ALL)"));
        Assert.Equal(3UL, Tables.Evaluate(table, "KTH_MAX(SIZEOF($ALL)/2+1, $ALL)"));
        // Of five, both mean three.
        FrontierTable odd = Tables.OfNodes(10, 10, 5, 3, 3);
        Assert.Equal(5UL, Tables.Evaluate(odd, "KTH_MIN(SIZEOF($ALL)/2+1, $ALL)"));
        Assert.Equal(5UL, Tables.Evaluate(odd, "KTH_MAX(SIZEOF($ALL)/2+1, $ALL)"));
    }

    [Theory]
    [InlineData("KTH_MAX(0, $ALL)", 8, "is 0 and must be from 1 to 3")]
    [InlineData("KTH_MAX(4, $ALL)", 8, "is 4 and must be from 1 to 3")]
    [InlineData("KTH_MIN(SIZEOF($ALL)+1, $ALL)", 20, "is 4 and must be from 1 to 3")]
    [InlineData("MAX($ALL, KTH_MIN(1-2, $ALL))", 19, "is -1")]
    [InlineData("KTH_MIN(1/(SIZEOF($ALL)-3), $ALL)", 9, "division by zero")]
    [InlineData("KTH_MIN(1000000*1000000, $ALL)", 15, "too large")]
    [InlineData("MIN($ZONE_nowhere)", 4, "no members")]
    [InlineData("MAX($ALL, $ZONE_nowhere)", 10, "no members")]
    [InlineData("MIN($ALL - $ZONE_z)", 4, "no members")]
    [InlineData("MIN($HOSTS)", 4, "$HOSTS and $REPLICAS hosts")]
    public void What_cannot_be_bound_says_why(string text, int position, string part)
    {
        PredicateError error = Tables.BindError(Tables.OfNodes(1, 2, 3), text);
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
        Assert.Equal(position, error.Position);
    }

    [Fact]
    public void Binding_fixes_the_members()
    {
        FrontierTable table = Tables.OfNodes(5, 6);
        BoundPredicate bound = Tables.Bind(table, "MIN($ALL)");
        Tables.Add(table, 9, "late");
        Assert.Equal(5UL, bound.Evaluate());
        Assert.Equal(0UL, Tables.Evaluate(table, "MIN($ALL)"));
        Assert.Equal(2, bound.Members.Count);
    }

    [Fact]
    public void Members_that_leave_are_taken_out_of_sets_and_of_sizeof()
    {
        FrontierTable table = Tables.OfNodes(5, 6, 7, 8);
        BoundPredicate min = Tables.Bind(table, "MIN($ALL)");
        BoundPredicate majority = Tables.Bind(table, "KTH_MAX(SIZEOF($ALL)/2+1, $ALL)");
        BoundPredicate counting = Tables.Bind(table, "MIN($ALL)", countLeft: true);
        BoundPredicate three = Tables.Bind(table, "KTH_MAX(4, $ALL)");
        BoundPredicate nested = Tables.Bind(table, "MAX(MIN($NODE_n1), MIN($NODE_n3, $NODE_n4))");
        Assert.Equal((5UL, 6UL, 5UL), (min.Evaluate(), majority.Evaluate(), three.Evaluate()));
        table.SetStatus(table.Rows[0], MemberStatus.Left);
        Assert.Equal((6UL, 7UL, 5UL), (min.Evaluate(), majority.Evaluate(), counting.Evaluate()));
        Assert.Equal(0UL, three.Evaluate());
        Assert.Equal(0UL, three.EvaluateUpperBound(1));
        Assert.Contains("is 4 and must be from 1 to 3", three.Problem!.Message, StringComparison.Ordinal);
        Assert.Equal(7UL, nested.Evaluate());
        foreach (FrontierRow row in table.Rows)
        {
            table.SetStatus(row, MemberStatus.Failed);
        }

        Assert.True(min.IsEmpty);
        Assert.False(counting.IsEmpty);
        Assert.Equal((0UL, 5UL), (min.Evaluate(), counting.Evaluate()));
    }

    [Fact]
    public void Evaluation_allocates_nothing()
    {
        FrontierTable table = Tables.OfNodes([.. Enumerable.Range(0, 200).Select(i => (ulong)(i * 7919 % 200))]);
        BoundPredicate bound = Tables.Bind(
            table,
            "MIN(KTH_MAX(SIZEOF($ALL)/2+1, $ALL), KTH_MIN(3, $ALL.persisted, $ALL - $NODE_n1), MAX($ZONE_z.applied.direct, "
                + "KTH_MAX(2, $ALL.applied)))");
        FrontierRow row = table.Rows[0];
        ulong release = 1_000;
        ulong sum = 0;
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                // Each step changes the table, so that nothing is answered from the last evaluation.
                table.Advance(row, 1, FrontierLevels.Received, ++release, isDirect: false);
                sum += bound.Evaluate() + (bound.EvaluateUpperBound(release) >> 32);
            }
        }));
        Assert.NotEqual(0UL, sum);
    }
}
