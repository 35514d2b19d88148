namespace Ripple.Engine.Rings;

/// <summary>The times of a ring, in nanoseconds.</summary>
internal sealed record RingOptions
{
    /// <summary>All defaults.</summary>
    public static RingOptions Default { get; } = new();

    /// <summary>The least time before a hop is sent again. Default 10 ms.</summary>
    public long RtoMinNs { get; init; } = 10_000_000;

    /// <summary>The most time before a hop is sent again. Default 500 ms.</summary>
    public long RtoMaxNs { get; init; } = 500_000_000;

    /// <summary>The time before a hop is sent again while none was measured. Default 50 ms.</summary>
    public long RtoInitialNs { get; init; } = 50_000_000;

    /// <summary>How often a token is sent to one member before it is skipped. Default 2.</summary>
    public int TriesMax { get; init; } = 2;

    /// <summary>The pause between two rounds while things change, and the least pause ever. Default 1 ms.</summary>
    public long PauseMinNs { get; init; } = 1_000_000;

    /// <summary>
    /// The least pause between two rounds when only streams moved; four mean rounds when that is more, but never above
    /// <see cref="PauseMaxNs"/>. Default 10 ms.
    /// </summary>
    public long StreamPauseMinNs { get; init; } = 10_000_000;

    /// <summary>
    /// After how many packets of a stream that pause is over, so that the sender's window does not fill. Default 1,024, half a sender's
    /// default window.
    /// </summary>
    public int RoundPacketsMax { get; init; } = 1_024;

    /// <summary>What the pause doubles up to while nothing changes and something is unsettled. Default 100 ms.</summary>
    public long PauseMaxNs { get; init; } = 100_000_000;

    /// <summary>For how long after the last change an unsettled ring turns faster than when idle. Default 2 s.</summary>
    public long ActiveNs { get; init; } = 2_000_000_000;

    /// <summary>The time between rounds when there is nothing to do. Default 1 s.</summary>
    public long IdleNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// The least time after which a round that did not come back is given up. Default 250 ms; doubled for each one given up in a row.
    /// </summary>
    public long RoundTimeoutMinNs { get; init; } = 250_000_000;

    /// <summary>The most time after which a round that did not come back is given up. Default 10 s.</summary>
    public long RoundTimeoutMaxNs { get; init; } = 10_000_000_000;

    /// <summary>
    /// For how long a member that was skipped once is skipped without a try. Default 50 ms; doubled for each time in a row.
    /// </summary>
    public long SilentRetryMinNs { get; init; } = 50_000_000;

    /// <summary>The most time for which a silent member is skipped without a try. Default 1 s.</summary>
    public long SilentRetryMaxNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// For how long a silent member holds a stream's floor where it was: one lost packet must not make others free what it misses. Default
    /// 1 s.
    /// </summary>
    public long SilentGraceNs { get; init; } = 1_000_000_000;
}
