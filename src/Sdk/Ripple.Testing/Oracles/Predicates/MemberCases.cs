namespace Ripple.Testing.Oracles.Predicates;

/// <summary>
/// Every membership that may be the one a wait is judged over: the members that are certain, and each choice of those that may be members
/// too. What is wrong in all of them is wrong.
/// </summary>
internal sealed class MemberCases
{
    private const int PossibleMax = 10;
    private readonly OperatorTerm _term;
    private readonly List<PredicateMember> _certain;
    private readonly List<PredicateMember> _possible;

    /// <param name="term">The predicate.</param>
    /// <param name="certain">The members that are certain.</param>
    /// <param name="possible">Those that may be members, or may have gone.</param>
    public MemberCases(OperatorTerm term, IEnumerable<PredicateMember> certain, IEnumerable<PredicateMember> possible)
    {
        _term = term;
        _certain = [.. certain];
        _possible = [.. possible.Where(term.Mentions)];
    }

    /// <summary>Whether the predicate holds in one of them at least; true when there are too many to tell.</summary>
    public bool MayHold(HasReached has) => Any(members => _term.Holds(members, has));

    /// <summary>Whether the predicate does not hold in one of them at least; true when there are too many to tell.</summary>
    public bool MayFail(HasReached has) => Any(members => !_term.Holds(members, has));

    /// <summary>Whether the predicate has no meaning in one of them at least; true when there are too many to tell.</summary>
    public bool MayBeInvalid() => Any(members => !_term.IsValidAmong(members));

    private bool Any(Func<IReadOnlyList<PredicateMember>, bool> isSo)
    {
        if (_possible.Count > PossibleMax)
        {
            return true;
        }

        var members = new List<PredicateMember>(_certain.Count + _possible.Count);
        for (int choice = 0; choice < 1 << _possible.Count; choice++)
        {
            members.Clear();
            members.AddRange(_certain);
            members.AddRange(_possible.Where((_, i) => ((choice >> i) & 1) != 0));
            if (isSo(members))
            {
                return true;
            }
        }

        return false;
    }
}
