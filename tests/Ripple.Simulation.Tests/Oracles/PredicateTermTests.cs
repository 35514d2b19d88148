using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Predicates;

namespace Ripple.Simulation.Tests.Oracles;

public class PredicateTermTests
{
    private static readonly PredicateMember Host = new("host", "default", true, []);

    private static readonly PredicateMember[] Members =
    [
        Host, Node("a", "east", "canary"), Node("b", "east", "stable"), Node("c", "west", "stable"), Node("d", "west", "stable"),
    ];

    [Fact]
    public void Terms_are_written_as_users_write_them()
    {
        Assert.Equal("MIN($ALL.applied.direct)", OperatorTerm.AllApplied(isDirect: true).Text);
        Assert.Equal("MIN(persisted)", OperatorTerm.Min(new LevelTerm(MemberSet.All, NodeLevel.Persisted, false, LevelForm.Bare)).Text);
        Assert.Equal(
            "KTH_MAX(((SIZEOF($ALL) / 2) + 1), ($ALL - $ZONE(\"west\")).received)",
            OperatorTerm.KthMax(Majority(), new LevelTerm(MemberSet.All.Without(MemberSet.Zone("west")), NodeLevel.Received)).Text);
    }

    [Fact]
    public void Each_operator_counts_the_values_that_have_reached_the_release()
    {
        Assert.False(Holds(OperatorTerm.Min(Applied(MemberSet.All)), "a", "b", "c"));
        Assert.True(Holds(OperatorTerm.Min(Applied(MemberSet.All)), "a", "b", "c", "d"));
        Assert.True(Holds(OperatorTerm.Max(Applied(MemberSet.All)), "d"));
        Assert.False(Holds(OperatorTerm.KthMax(Majority(), Applied(MemberSet.All)), "a", "b"));
        Assert.True(Holds(OperatorTerm.KthMax(Majority(), Applied(MemberSet.All)), "a", "b", "c"));
        // With four, the k-th smallest for k = 3 is met by two.
        Assert.True(Holds(OperatorTerm.KthMin(Majority(), Applied(MemberSet.All)), "a", "b"));
        Assert.False(Holds(OperatorTerm.KthMin(Majority(), Applied(MemberSet.All)), "a"));
    }

    [Fact]
    public void Sets_select_by_zone_label_name_and_difference()
    {
        Assert.True(Holds(OperatorTerm.Min(Applied(MemberSet.Zone("east"))), "a", "b"));
        Assert.True(Holds(OperatorTerm.Min(Applied(MemberSet.Label("ring", "canary"))), "a"));
        Assert.False(Holds(OperatorTerm.Min(Applied(MemberSet.Node("c"))), "a"));
        Assert.True(Holds(OperatorTerm.Min(Applied(MemberSet.All.Without(MemberSet.Area("east")))), "c", "d"));
        Assert.True(Holds(OperatorTerm.Min(Applied(MemberSet.AllZones), Applied(MemberSet.Replicas))));
    }

    [Fact]
    public void Members_that_do_not_count_drop_out_and_none_never_hold()
    {
        OperatorTerm both = OperatorTerm.Min(
            OperatorTerm.Max(Applied(MemberSet.Zone("east"))), OperatorTerm.Max(Applied(MemberSet.Zone("west"))));
        Assert.True(both.Holds([Host, Members[1]], (m, _) => m.Name == "a"));
        Assert.False(both.Holds([Host], (_, _) => true));
        Assert.False(both.IsValidAmong([Host, Members[1]]));
        Assert.True(both.IsValidAmong(Members));
        OperatorTerm three = OperatorTerm.KthMax(PredicateCount.Of(3), Applied(MemberSet.All));
        Assert.False(three.Holds(Members[..3], (_, _) => true));
        Assert.False(three.IsValidAmong(Members[..3]));
        Assert.True(three.IsValidAmong(Members));
    }

    /// <summary>The one place where both evaluators meet: they were written apart, and must agree.</summary>
    [Fact]
    public void The_product_reads_every_term_as_the_world_means_it()
    {
        var random = new DeterministicRandom(5);
        var draw = new PredicateDraw(random, Members[1..]);
        int held = 0;
        int invalid = 0;
        for (int i = 0; i < 5_000; i++)
        {
            OperatorTerm term = draw.Next();
            PredicateMember[] members = [.. Members.Where(m => m.IsHost || random.NextBool(0.8))];
            var levels = members.ToDictionary(m => m.Name, _ => DrawLevels(random));
            bool isBound = TryEvaluate(term, members, levels, out ulong value);
            Assert.True(term.IsValidAmong(members) == isBound, term.Text);
            if (isBound)
            {
                bool holds = term.Holds(members, (m, level) => levels[m.Name][(int)level] >= 2);
                Assert.True(holds == value >= 2, term.Text);
                held += holds ? 1 : 0;
            }

            invalid += isBound ? 0 : 1;
        }

        Assert.InRange(held, 500, 4_500);
        Assert.InRange(invalid, 100, 4_000);
    }

    private static ulong[] DrawLevels(DeterministicRandom random)
    {
        ulong received = (ulong)random.NextInt32(4);
        ulong persisted = (ulong)random.NextInt32((int)received + 1);
        return [received, persisted, (ulong)random.NextInt32((int)received + 1)];
    }

    private static bool TryEvaluate(
        OperatorTerm term, PredicateMember[] members, Dictionary<string, ulong[]> levels, out ulong value)
    {
        var table = new FrontierTable("shop", 1);
        ulong number = 1;
        foreach (PredicateMember member in members)
        {
            var row = new FrontierMember
            {
                Node = new NodeId(1, number),
                Incarnation = number++,
                Name = member.Name,
                Zone = member.Zone,
                Labels = member.Labels,
                IsHost = member.IsHost,
                IsReplica = member.IsHost,
                HostName = "host",
            };
            Assert.True(table.TryAdd(row, out FrontierRow? added));
            ulong[] at = levels[member.Name];
            table.Report(added, 1, at[0], at[1], at[2], isDirect: true);
        }

        value = 0;
        Assert.True(PredicateParser.TryParse(term.Text, out Predicate? predicate, out PredicateError? error), $"{term.Text}: {error}");
        var context = new BindingContext { Table = table, Members = null, Zone = "default", CountLeft = false };
        if (!predicate.TryBind(context, out BoundPredicate? bound, out _))
        {
            return false;
        }

        value = bound.Evaluate();
        return true;
    }

    private static PredicateMember Node(string name, string zone, string ring) =>
        new(name, zone, false, [KeyValuePair.Create("ring", ring)]);

    private static LevelTerm Applied(MemberSet set) => new(set, NodeLevel.Applied);

    private static PredicateCount Majority() => PredicateCount.Compute(
        PredicateCount.Compute(PredicateCount.SizeOf(MemberSet.All), '/', PredicateCount.Of(2)), '+', PredicateCount.Of(1));

    private static bool Holds(OperatorTerm term, params string[] reached) =>
        term.Holds(Members, (m, _) => m.IsHost || reached.Contains(m.Name));
}
