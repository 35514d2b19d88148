namespace Ripple.Simulator.Oracles;

/// <summary>One time a publish was asked for.</summary>
/// <param name="Intent">The publish.</param>
/// <param name="AskedNs">When it was sent, in simulated nanoseconds.</param>
internal sealed record PublishAsk(PublishIntent Intent, long AskedNs)
{
    /// <summary>
    /// How long a host may still carry out a publish whose publisher lost the connection: the time frames are on their way, and a flush.
    /// </summary>
    private const long LingerNs = 5_000_000_000;

    /// <summary>The time after which no host carries it out any more; <see cref="long.MaxValue"/> while it is unanswered.</summary>
    public long UnderWayUntilNs { get; private set; } = long.MaxValue;

    /// <summary>Records the answer.</summary>
    public void End(long nowNs) => UnderWayUntilNs = nowNs;

    /// <summary>Records that there will be no answer: it may still be carried out for a while.</summary>
    public void Lose(long nowNs) => UnderWayUntilNs = nowNs + LingerNs;
}
