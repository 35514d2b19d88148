namespace Ripple.Engine.Frontier.Predicates;

/// <summary>What a predicate is bound to.</summary>
internal sealed record BindingContext
{
    /// <summary>The application's table.</summary>
    public required FrontierTable Table { get; init; }

    /// <summary>The members, from that table, in any order; null for those that have neither left nor failed now.</summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>The zone of the evaluating host, for $MYWNODE and $MYAZWNODES; null when it has none.</summary>
    public string? Zone { get; init; }

    /// <summary>
    /// True when members that left or failed keep counting with the values they had. Default false: they are discounted, which means taken
    /// out of every set, also out of what SIZEOF counts.
    /// </summary>
    public bool CountLeft { get; init; }
}
