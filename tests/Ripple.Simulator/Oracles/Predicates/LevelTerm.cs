namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>A set read at a level: a value for each of its elements, the least of those of its members.</summary>
internal sealed class LevelTerm : PredicateTerm
{
    private readonly MemberSet _set;
    private readonly NodeLevel _level;

    /// <param name="set">The set.</param>
    /// <param name="level">The level.</param>
    /// <param name="isDirect">Whether only what members said directly counts; what is true is the same.</param>
    /// <param name="form">How the level is written.</param>
    public LevelTerm(MemberSet set, NodeLevel level, bool isDirect = false, LevelForm form = LevelForm.Named)
    {
        ArgumentNullException.ThrowIfNull(set);
        _set = set;
        _level = level;
        string word = level.ToString().ToLowerInvariant() + (isDirect ? ".direct" : string.Empty);
        Text = form switch
        {
            LevelForm.Bare => word,
            LevelForm.Unnamed => set.Text,
            _ => $"{set.Text}.{word}",
        };
    }

    /// <inheritdoc/>
    public override string Text { get; }

    /// <inheritdoc/>
    public override IEnumerable<MemberSet> Sets => [_set];

    /// <inheritdoc/>
    public override IEnumerable<bool> ValuesAmong(IReadOnlyList<PredicateMember> members, HasReached has) =>
        _set.Among(members).Select(element => Array.TrueForAll(element, m => has(m, _level)));

    /// <inheritdoc/>
    public override bool IsValidAmong(IReadOnlyList<PredicateMember> members) => _set.Among(members).Count > 0;

    /// <inheritdoc/>
    public override IEnumerable<NodeLevel> LevelsOf(PredicateMember member) => _set.Selects(member) ? [_level] : [];
}
