namespace Ripple.Engine.Frontier.Predicates;

internal enum PredicateOperator
{
    Min,

    Max,

    /// <summary>The k-th smallest.</summary>
    KthMin,

    /// <summary>The k-th greatest: the highest value that at least k of the values have reached.</summary>
    KthMax,
}
