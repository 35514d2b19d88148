namespace Ripple.Engine.Rings;

/// <summary>
/// Activity counters of a ring member. Written on the core thread; instruments read each value independently, from any thread.
/// </summary>
internal sealed class RingCounters
{
    /// <summary>Rounds that this member, as leader, completed.</summary>
    public long Rounds { get; internal set; }

    /// <summary>Rounds that this member, as leader, abandoned.</summary>
    public long RoundsGivenUp { get; internal set; }

    /// <summary>Tokens accepted from another member.</summary>
    public long Hops { get; internal set; }

    /// <summary>Tokens and aggregates sent again.</summary>
    public long Retransmits { get; internal set; }

    /// <summary>Members skipped after all tries.</summary>
    public long Skips { get; internal set; }

    /// <summary>Tokens of an older or finished round, discarded here.</summary>
    public long StaleTokens { get; internal set; }

    /// <summary>Tokens of a round already seen: acknowledged again, not passed on.</summary>
    public long DuplicateTokens { get; internal set; }

    /// <summary>Frames of another view, ignored.</summary>
    public long OtherViews { get; internal set; }

    /// <summary>Frames that were malformed, or impossible from their sender.</summary>
    public long Refused { get; internal set; }

    /// <summary>Rounds reported to the sender, each counted once.</summary>
    public long AggregatesSent { get; internal set; }
}
