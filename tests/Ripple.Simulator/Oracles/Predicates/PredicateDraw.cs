using Ripple.Engine.Core;

namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>Draws predicates of all kinds: the usual ones often, and any combination of operators, sets and levels at times.</summary>
internal sealed class PredicateDraw(DeterministicRandom random, IReadOnlyList<PredicateMember> members)
{
    private const string HostName = "host";
    private const string HostZone = "default";

    /// <summary>The next one.</summary>
    public OperatorTerm Next() => random.NextInt32(8) switch
    {
        0 => OperatorTerm.AllApplied(isDirect: false),
        1 => OperatorTerm.AllApplied(isDirect: true),
        2 => OperatorTerm.Min(new LevelTerm(MemberSet.All, Level(), random.NextBool(0.3), LevelForm.Bare)),
        3 => OperatorTerm.KthMax(Majority(MemberSet.All), new LevelTerm(MemberSet.All, Level())),
        4 => OperatorTerm.Min(
            OperatorTerm.Max(Leaf(MemberSet.Zone(Pick(m => m.Zone)))), OperatorTerm.Max(Leaf(MemberSet.Zone(Pick(m => m.Zone))))),
        5 => OperatorTerm.Max(Leaf(), Leaf()),
        _ => Operator(2),
    };

    private OperatorTerm Operator(int depth)
    {
        PredicateTerm[] arguments = [.. Enumerable.Range(0, 1 + random.NextInt32(3)).Select(_ => Argument(depth))];
        return random.NextInt32(5) switch
        {
            0 or 1 => OperatorTerm.Min(arguments),
            2 => OperatorTerm.Max(arguments),
            3 => OperatorTerm.KthMax(Count(), arguments),
            _ => OperatorTerm.KthMin(Count(), arguments),
        };
    }

    private PredicateTerm Argument(int depth) => depth > 0 && random.NextBool(0.3) ? Operator(depth - 1) : Leaf();

    private LevelTerm Leaf() => Leaf(Set());

    private LevelTerm Leaf(MemberSet set)
    {
        NodeLevel level = Level();
        bool isDirect = random.NextBool(0.3);
        bool isUnnamed = level == NodeLevel.Received && !isDirect && random.NextBool(0.5);
        return new LevelTerm(set, level, isDirect, isUnnamed ? LevelForm.Unnamed : LevelForm.Named);
    }

    private NodeLevel Level() => (NodeLevel)random.NextInt32(3);

    private PredicateCount Count() => random.NextInt32(4) switch
    {
        0 => Majority(Set()),
        1 => PredicateCount.SizeOf(MemberSet.All),
        2 => PredicateCount.Compute(
            PredicateCount.Compute(PredicateCount.SizeOf(MemberSet.All), '*', PredicateCount.Of(2)), '/', PredicateCount.Of(3)),
        _ => PredicateCount.Of(1 + random.NextInt32(3)),
    };

    private static PredicateCount Majority(MemberSet set) => PredicateCount.Compute(
        PredicateCount.Compute(PredicateCount.SizeOf(set), '/', PredicateCount.Of(2)), '+', PredicateCount.Of(1));

    private MemberSet Set() => random.NextInt32(12) switch
    {
        0 => MemberSet.Zone(Pick(m => m.Zone)),
        1 => MemberSet.Area(Pick(m => m.Zone)),
        2 or 3 => LabelOf(members[random.NextInt32(members.Count)]),
        4 => MemberSet.Node(Pick(m => m.Name)),
        5 => MemberSet.Home(HostName),
        6 => MemberSet.All.Without(MemberSet.Node(Pick(m => m.Name))),
        7 => MemberSet.All.Without(MemberSet.Zone(Pick(m => m.Zone))),
        8 => random.NextBool(0.5) ? MemberSet.Hosts : MemberSet.Replicas,
        9 => random.NextBool(0.5) ? MemberSet.AllZones : MemberSet.ZoneOfHosts(HostZone),
        _ => MemberSet.All,
    };

    private static MemberSet LabelOf(PredicateMember member) =>
        member.Labels.Count == 0 ? MemberSet.All : MemberSet.Label(member.Labels[0].Key, member.Labels[0].Value);

    private string Pick(Func<PredicateMember, string> part) => part(members[random.NextInt32(members.Count)]);
}
