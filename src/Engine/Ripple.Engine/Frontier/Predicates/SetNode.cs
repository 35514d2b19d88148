namespace Ripple.Engine.Frontier.Predicates;

/// <summary>A set of WAN nodes or of nodes.</summary>
/// <param name="Position">Where it starts.</param>
/// <param name="IsWan">True when its elements are WAN nodes.</param>
internal abstract record SetNode(int Position, bool IsWan) : PredicateNode(Position);
