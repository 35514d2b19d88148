namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>MIN, MAX, KTH_MAX or KTH_MIN over the values of its arguments: one value, or none if they have none.</summary>
internal sealed class OperatorTerm : PredicateTerm
{
    private readonly string _name;
    private readonly PredicateCount? _count;
    private readonly IReadOnlyList<PredicateTerm> _arguments;

    private OperatorTerm(string name, PredicateCount? count, PredicateTerm[] arguments)
    {
        _name = name;
        _count = count;
        _arguments = [.. arguments];
        string values = string.Join(", ", arguments.Select(a => a.Text));
        Text = count is null ? $"{name}({values})" : $"{name}({count.Text}, {values})";
    }

    /// <inheritdoc/>
    public override string Text { get; }

    /// <inheritdoc/>
    public override IEnumerable<MemberSet> Sets => _arguments.SelectMany(a => a.Sets).Concat(_count?.Sets ?? []);

    /// <summary>What all values have reached.</summary>
    public static OperatorTerm Min(params PredicateTerm[] arguments) => new("MIN", null, arguments);

    /// <summary>What one value has reached.</summary>
    public static OperatorTerm Max(params PredicateTerm[] arguments) => new("MAX", null, arguments);

    /// <summary>What k values have reached.</summary>
    public static OperatorTerm KthMax(PredicateCount k, params PredicateTerm[] arguments) => new("KTH_MAX", k, arguments);

    /// <summary>What all values but k - 1 have reached.</summary>
    public static OperatorTerm KthMin(PredicateCount k, params PredicateTerm[] arguments) => new("KTH_MIN", k, arguments);

    /// <summary>All nodes have a release in effect.</summary>
    public static OperatorTerm AllApplied(bool isDirect) => Min(new LevelTerm(MemberSet.All, NodeLevel.Applied, isDirect));

    /// <summary>Whether the predicate holds for the release over the members that count. It never does over none.</summary>
    public bool Holds(IReadOnlyList<PredicateMember> members, HasReached has)
    {
        bool[] values = [.. _arguments.SelectMany(a => a.ValuesAmong(members, has))];
        int reached = values.Count(v => v);
        long? k = _count?.ValueAmong(members);
        return values.Length > 0 && _name switch
        {
            "MIN" => reached == values.Length,
            "MAX" => reached > 0,
            "KTH_MAX" => k >= 1 && k <= values.Length && reached >= k,
            _ => k >= 1 && k <= values.Length && reached > values.Length - k,
        };
    }

    /// <inheritdoc/>
    public override IEnumerable<bool> ValuesAmong(IReadOnlyList<PredicateMember> members, HasReached has) =>
        _arguments.Any(a => a.ValuesAmong(members, has).Any()) ? [Holds(members, has)] : [];

    /// <inheritdoc/>
    public override bool IsValidAmong(IReadOnlyList<PredicateMember> members)
    {
        if (!_arguments.All(a => a.IsValidAmong(members)))
        {
            return false;
        }

        long? k = _count?.ValueAmong(members);
        return _count is null || (k >= 1 && k <= _arguments.Sum(a => a.ValuesAmong(members, (_, _) => true).Count()));
    }

    /// <inheritdoc/>
    public override IEnumerable<NodeLevel> LevelsOf(PredicateMember member) => _arguments.SelectMany(a => a.LevelsOf(member));
}
