namespace Ripple.Engine.Frontier.Predicates;

/// <summary>An argument of an operator: a nested operator, or a set with the level that is read of its elements.</summary>
internal abstract record ValueNode(int Position) : PredicateNode(Position)
{
    /// <summary>Whether .direct is read anywhere in it.</summary>
    public abstract bool NeedsDirect { get; }
}
