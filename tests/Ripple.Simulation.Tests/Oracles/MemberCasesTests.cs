using Ripple.Engine.Core;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Predicates;

namespace Ripple.Simulation.Tests.Oracles;

public class MemberCasesTests
{
    private static readonly PredicateMember[] Members =
    [
        new("host", "default", true, []), Node("a", "east"), Node("b", "east"), Node("c", "west"), Node("d", "west"), Node("e", "north"),
    ];

    [Fact]
    public void Cases_are_all_choices_of_those_that_may_be_members()
    {
        var cases = new MemberCases(OperatorTerm.AllApplied(isDirect: false), Members[..2], Members[2..]);
        Assert.True(cases.MayHold((m, _) => m.Name == "a"));
        Assert.False(cases.MayHold((m, _) => m.Name == "b"));
        Assert.True(cases.MayFail((m, _) => m.Name == "a"));
        Assert.False(cases.MayFail((_, _) => true));
        Assert.False(cases.MayBeInvalid());
        Assert.True(new MemberCases(OperatorTerm.AllApplied(isDirect: false), Members[..1], Members[1..]).MayBeInvalid());
    }

    [Fact]
    public void Members_that_are_alike_are_chosen_by_their_number()
    {
        PredicateMember[] many = [.. Enumerable.Range(0, 60).Select(i => Node($"n{i}", i % 2 == 0 ? "east" : "west"))];
        OperatorTerm all = OperatorTerm.AllApplied(isDirect: false);
        Assert.False(new MemberCases(all, many[..1], many[1..]).MayHold((m, _) => m.Name != "n0"));
        Assert.False(new MemberCases(all, many[..1], many[1..]).MayFail((_, _) => true));
        OperatorTerm most = OperatorTerm.KthMax(PredicateCount.Of(31), new LevelTerm(MemberSet.Zone("east"), NodeLevel.Applied));
        Assert.False(new MemberCases(most, [], many).MayHold((_, _) => true));
        Assert.True(new MemberCases(most, [], [.. many, Node("more", "east")]).MayHold((_, _) => true));
    }

    [Fact]
    public void Choosing_by_number_finds_what_choosing_each_finds()
    {
        var random = new DeterministicRandom(7);
        var draw = new PredicateDraw(random, Members[1..]);
        int held = 0;
        int failed = 0;
        for (int i = 0; i < 2_000; i++)
        {
            OperatorTerm term = draw.Next();
            int certain = 1 + random.NextInt32(Members.Length - 1);
            int[] reached = [.. Members.Select(_ => random.NextInt32(8))];
            bool Has(PredicateMember member, NodeLevel level) => ((reached[Array.IndexOf(Members, member)] >> (int)level) & 1) != 0;
            List<PredicateMember[]> each = Choices(certain);
            var cases = new MemberCases(term, Members[..certain], Members[certain..]);

            bool mayHold = each.Exists(m => term.Holds(m, Has));
            bool mayFail = each.Exists(m => !term.Holds(m, Has));
            Assert.True(cases.MayHold(Has) == mayHold, term.Text);
            Assert.True(cases.MayFail(Has) == mayFail, term.Text);
            Assert.True(cases.MayBeInvalid() == each.Exists(m => !term.IsValidAmong(m)), term.Text);
            held += mayHold ? 0 : 1;
            failed += mayFail ? 0 : 1;
        }

        Assert.InRange(held, 100, 1_900);
        Assert.InRange(failed, 100, 1_900);
    }

    private static List<PredicateMember[]> Choices(int certain) =>
    [
        .. Enumerable.Range(0, 1 << (Members.Length - certain)).Select(
            choice => Members.Where((_, i) => i < certain || ((choice >> (i - certain)) & 1) != 0).ToArray()),
    ];

    private static PredicateMember Node(string name, string zone) => new(name, zone, false, []);
}
