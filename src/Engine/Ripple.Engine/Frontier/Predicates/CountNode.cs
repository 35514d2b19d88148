namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A number: the k of an operator, or a part of it.</summary>
internal abstract record CountNode(int Position) : PredicateNode(Position);
