namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>
/// A part of a predicate, as the world means it: the text the system is given, and the answer by a model of its own. The model asks of each
/// value only whether it has reached the release in question, which is all that a wait needs: a k-th greatest has reached it if k values
/// have. Immutable.
/// </summary>
internal abstract class PredicateTerm
{
    /// <summary>How it is written.</summary>
    public abstract string Text { get; }

    /// <summary>For each of its values whether it has reached the release; none if no member of its sets counts.</summary>
    /// <param name="members">The members that count.</param>
    /// <param name="has">Whether a member has reached the release at a level.</param>
    public abstract IEnumerable<bool> ValuesAmong(IReadOnlyList<PredicateMember> members, HasReached has);

    /// <summary>Whether it has a meaning over these members: no empty set where a value is needed, and each k from 1 to the number of
    /// values.</summary>
    public abstract bool IsValidAmong(IReadOnlyList<PredicateMember> members);

    /// <summary>The sets that it names: the answer depends on a member only by which of them select it, and by its levels.</summary>
    public abstract IEnumerable<MemberSet> Sets { get; }

    /// <summary>The levels at which it reads a member.</summary>
    public abstract IEnumerable<NodeLevel> LevelsOf(PredicateMember member);

    /// <inheritdoc/>
    public override string ToString() => Text;
}
