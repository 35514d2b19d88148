namespace Ripple.Engine.Frontier.Predicates;

/// <summary>The members and settings that a predicate is bound to.</summary>
internal sealed record BindingContext
{
    /// <summary>The application's table.</summary>
    public required FrontierTable Table { get; init; }

    /// <summary>The members, from that table, in any order; null for all that have neither left nor failed at binding.</summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>The zone of the evaluating host, for $MYWNODE and $MYAZWNODES; null when it has none.</summary>
    public string? Zone { get; init; }

    /// <summary>
    /// True when members that left or failed keep counting with their last values. Default false: they are discounted, that is, removed
    /// from every set, including the sets that SIZEOF counts.
    /// </summary>
    public bool CountLeft { get; init; }
}
