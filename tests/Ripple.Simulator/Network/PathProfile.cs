namespace Ripple.Simulator.Network;

/// <summary>The effect of a path between machines on datagrams, or the impairment a disturbance adds to a path.</summary>
internal sealed record PathProfile
{
    /// <summary>The minimum time a datagram takes, in nanoseconds.</summary>
    public long LatencyNs { get; init; }

    /// <summary>
    /// The maximum random delay added to the latency, uniform from 0, in nanoseconds. Datagrams from one machine to one port still keep
    /// their order.
    /// </summary>
    public long JitterNs { get; init; }

    /// <summary>The probability that a datagram is lost. On a control connection: that a frame waits for a retransmission.</summary>
    public double Loss { get; init; }

    /// <summary>The probability that a datagram arrives twice.</summary>
    public double Duplication { get; init; }

    /// <summary>
    /// The probability that a datagram is delayed by up to <see cref="ReorderDelayNs"/>, so that later ones may overtake it.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>The maximum delay of a reordered datagram, in nanoseconds.</summary>
    public long ReorderDelayNs { get; init; }

    /// <summary>The probability that one bit of a datagram is flipped.</summary>
    public double Corruption { get; init; }

    /// <summary>This profile with the values of another one added.</summary>
    public PathProfile Plus(PathProfile other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return new PathProfile
        {
            LatencyNs = LatencyNs + other.LatencyNs,
            JitterNs = JitterNs + other.JitterNs,
            Loss = Loss + other.Loss,
            Duplication = Duplication + other.Duplication,
            Reorder = Reorder + other.Reorder,
            ReorderDelayNs = Math.Max(ReorderDelayNs, other.ReorderDelayNs),
            Corruption = Corruption + other.Corruption,
        };
    }
}
