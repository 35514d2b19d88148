namespace Ripple.Engine.Rings;

/// <summary>The times of a ring, in nanoseconds.</summary>
internal sealed record RingOptions
{
    /// <summary>All defaults.</summary>
    public static RingOptions Default { get; } = new();

    /// <summary>
    /// The largest lag behind the newest release that a token tells exactly; a member further behind counts as unknown. At most 253, the
    /// default.
    /// </summary>
    public int LagExactMax { get; init; } = RingLimits.LagExactMax;

    /// <summary>
    /// The most topics that a member puts into a token: <see cref="RingLimits.TopicsMaxOf"/> its region's interest. At most
    /// <see cref="RingLimits.TopicsMax"/>, the default.
    /// </summary>
    public int TopicsPerToken { get; init; } = RingLimits.TopicsMax;

    /// <summary>The shortest time before a hop is sent again. Default 10 ms.</summary>
    public long RtoMinNs { get; init; } = 10_000_000;

    /// <summary>The longest time before a hop is sent again. Default 500 ms.</summary>
    public long RtoMaxNs { get; init; } = 500_000_000;

    /// <summary>The time before a hop is sent again until a round trip was measured. Default 50 ms.</summary>
    public long RtoInitialNs { get; init; } = 50_000_000;

    /// <summary>
    /// How long an answer that is due is looked for while it may lie unread at this core: one that never gets through its control packets
    /// repeats all the same. For both tries of a hop together. Default 750 ms: with the least timeout of a round, the second after which a
    /// full window is given up.
    /// </summary>
    public long UnreadWaitMaxNs { get; init; } = 750_000_000;

    /// <summary>How many times a token is sent to one member before it is skipped. Default 2.</summary>
    public int TriesMax { get; init; } = 2;

    /// <summary>The shortest pause between two rounds, used while things change unless a mean round takes longer. Default 1 ms.</summary>
    public long PauseMinNs { get; init; } = 1_000_000;

    /// <summary>
    /// How long a sender is at each member while it sends to one after the other, about: a part does not start a round for a change before
    /// the members behind it have been sent theirs. Default 6 us, the cost of a datagram to one member.
    /// </summary>
    public long SweepNsPerMember { get; init; } = 6_000;

    /// <summary>
    /// How long a round for a change is put off, again and again, while data that was received waits at the leader's core. Default 0.25 ms.
    /// </summary>
    public long DataWaitNs { get; init; } = 250_000;

    /// <summary>
    /// How long such a round is put off in all, beyond the pause: a core that never gets through its data still proves. Default 5 ms, the
    /// time in which one core delivers a release to 500 nodes.
    /// </summary>
    public long DataWaitMaxNs { get; init; } = 5_000_000;

    /// <summary>
    /// The shortest pause between two rounds when only streams advanced; four mean rounds if that is longer, but never above
    /// <see cref="PauseMaxNs"/>. Default 10 ms.
    /// </summary>
    public long StreamPauseMinNs { get; init; } = 10_000_000;

    /// <summary>
    /// The number of packets of a stream that ends this pause, so that the sender's window does not fill. Default 1,024, half of a sender's
    /// default window.
    /// </summary>
    public int RoundPacketsMax { get; init; } = 1_024;

    /// <summary>
    /// The limit up to which the pause doubles while nothing changes and something is unsettled; and the pause at a core that is late with
    /// its data. Default 100 ms.
    /// </summary>
    public long PauseMaxNs { get; init; } = 100_000_000;

    /// <summary>How long after the last change an unsettled ring runs faster than an idle one. Default 2 s.</summary>
    public long ActiveNs { get; init; } = 2_000_000_000;

    /// <summary>The time between rounds when idle. Default 1 s.</summary>
    public long IdleNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// The shortest time after which a round that did not return is abandoned. Default 250 ms; doubled for each consecutive abandoned
    /// round.
    /// </summary>
    public long RoundTimeoutMinNs { get; init; } = 250_000_000;

    /// <summary>The shortest time after which a quiet round that did not return is abandoned. Default 100 ms.</summary>
    public long QuietTimeoutMinNs { get; init; } = 100_000_000;

    /// <summary>The most acknowledged rounds in a row that lost quiet ones bring. Default 64.</summary>
    public int AcknowledgedRoundsMax { get; init; } = 64;

    /// <summary>The longest time after which a round that did not return is abandoned. Default 10 s.</summary>
    public long RoundTimeoutMaxNs { get; init; } = 10_000_000_000;

    /// <summary>
    /// How long the second member of a part waits for a token when something changed at it before it leads the ring itself; the third waits
    /// twice as long. Default 250 ms; doubled each time that a member before it turns out to lead, and a little shorter with each token.
    /// </summary>
    public long LeadAfterNs { get; init; } = 250_000_000;

    /// <summary>The longest such wait of the second member. Default 4 s.</summary>
    public long LeadAfterMaxNs { get; init; } = 4_000_000_000;

    /// <summary>
    /// How long a member is skipped without a try after its first skip. Default 50 ms; doubled for each consecutive skip.
    /// </summary>
    public long SilentRetryMinNs { get; init; } = 50_000_000;

    /// <summary>The longest time for which a silent member is skipped without a try. Default 1 s.</summary>
    public long SilentRetryMaxNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// How long a leader that gathers waits for the aggregates of its other parts, or for a quarter of a mean round if that is longer.
    /// Default 1 ms.
    /// </summary>
    public long GatherNs { get; init; } = 1_000_000;

    /// <summary>
    /// How long a silent member holds a stream's floor in place: one lost packet must not make others free data that it still misses.
    /// Default 1 s.
    /// </summary>
    public long SilentGraceNs { get; init; } = 1_000_000_000;
}
