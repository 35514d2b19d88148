namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>
/// Every membership that may be the one a wait is judged over: the members that are certain, and each choice of those that may be members
/// too. What is wrong in all of them is wrong. Members that the same sets select, and that have reached the same, are the same to a
/// predicate: of them only the number is chosen, so that fifty are no more work than a few.
/// </summary>
internal sealed class MemberCases
{
    private const int CasesMax = 20_000;
    private static readonly NodeLevel[] Levels = Enum.GetValues<NodeLevel>();
    private readonly OperatorTerm _term;
    private readonly MemberSet[] _sets;
    private readonly List<PredicateMember> _certain;
    private readonly List<PredicateMember> _possible;

    /// <param name="term">The predicate.</param>
    /// <param name="certain">The members that are certain.</param>
    /// <param name="possible">Those that may be members, or may have gone.</param>
    public MemberCases(OperatorTerm term, IEnumerable<PredicateMember> certain, IEnumerable<PredicateMember> possible)
    {
        ArgumentNullException.ThrowIfNull(term);
        _term = term;
        _sets = [.. term.Sets];
        _certain = [.. certain];
        _possible = [.. possible.Where(m => Array.Exists(_sets, s => s.Selects(m)))];
    }

    /// <summary>Whether the predicate holds in one of them at least; true when there are too many to tell.</summary>
    public bool MayHold(HasReached has) => Any(has, members => _term.Holds(members, has));

    /// <summary>Whether the predicate does not hold in one of them at least; true when there are too many to tell.</summary>
    public bool MayFail(HasReached has) => Any(has, members => !_term.Holds(members, has));

    /// <summary>Whether the predicate has no meaning in one of them at least; true when there are too many to tell.</summary>
    public bool MayBeInvalid() => Any((_, _) => true, members => !_term.IsValidAmong(members));

    private bool Any(HasReached has, Func<IReadOnlyList<PredicateMember>, bool> isSo)
    {
        PredicateMember[][] kinds = [.. _possible.GroupBy(m => KindOf(m, has)).Select(g => g.ToArray())];
        if (kinds.Aggregate(1.0, (cases, kind) => cases * (kind.Length + 1)) > CasesMax)
        {
            return true;
        }

        var members = new List<PredicateMember>(_certain);
        return AnyFrom(0);

        bool AnyFrom(int index)
        {
            if (index == kinds.Length)
            {
                return isSo(members);
            }

            int before = members.Count;
            for (int count = 0; count <= kinds[index].Length; count++)
            {
                members.AddRange(kinds[index].Skip(count - 1).Take(Math.Min(count, 1)));
                if (AnyFrom(index + 1))
                {
                    return true;
                }
            }

            members.RemoveRange(before, members.Count - before);
            return false;
        }
    }

    private (string Selected, string Reached, string Zone) KindOf(PredicateMember member, HasReached has) => (
        string.Concat(_sets.Select(s => s.Selects(member) ? '1' : '0')),
        string.Concat(Levels.Select(l => has(member, l) ? '1' : '0')),
        Array.Exists(_sets, s => s.IsOfZones && s.Selects(member)) ? member.Zone : string.Empty);
}
