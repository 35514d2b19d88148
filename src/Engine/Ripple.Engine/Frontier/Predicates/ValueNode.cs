namespace Ripple.Engine.Frontier.Predicates;

/// <summary>An argument of an operator: a nested operator, or a set with the level read from its elements.</summary>
internal abstract record ValueNode(int Position) : PredicateNode(Position)
{
    /// <summary>Whether .direct is used anywhere in it.</summary>
    public abstract bool NeedsDirect { get; }
}
