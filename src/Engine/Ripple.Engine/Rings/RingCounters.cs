namespace Ripple.Engine.Rings;

/// <summary>What a ring member has done. Written on the core thread; instruments read it from others, each value by itself.</summary>
internal sealed class RingCounters
{
    /// <summary>Rounds that this member, as leader, saw to the end.</summary>
    public long Rounds { get; internal set; }

    /// <summary>Rounds that this member, as leader, gave up.</summary>
    public long RoundsGivenUp { get; internal set; }

    /// <summary>Tokens taken over from another member.</summary>
    public long Hops { get; internal set; }

    /// <summary>Tokens and aggregates sent once more.</summary>
    public long Retransmits { get; internal set; }

    /// <summary>Members skipped after their tries were used up.</summary>
    public long Skips { get; internal set; }

    /// <summary>Tokens of an older round, or of a finished one: they died here.</summary>
    public long StaleTokens { get; internal set; }

    /// <summary>Tokens of a round that was here already: acknowledged again, not passed on.</summary>
    public long DuplicateTokens { get; internal set; }

    /// <summary>Frames of another view, ignored.</summary>
    public long OtherViews { get; internal set; }

    /// <summary>Frames that made no sense, or came from where they cannot come from.</summary>
    public long Refused { get; internal set; }

    /// <summary>Rounds reported to the sender, each counted once.</summary>
    public long AggregatesSent { get; internal set; }
}
