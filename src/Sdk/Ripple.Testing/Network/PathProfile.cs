namespace Ripple.Testing.Network;

/// <summary>What a path between machines does to datagrams. Also used for what a disturbance adds to a path.</summary>
internal sealed record PathProfile
{
    /// <summary>The least time a datagram takes, in nanoseconds.</summary>
    public long LatencyNs { get; init; }

    /// <summary>
    /// What is added to it at random, evenly from 0 to this, in nanoseconds. Datagrams of one machine to one port keep their order all the
    /// same.
    /// </summary>
    public long JitterNs { get; init; }

    /// <summary>The probability that a datagram is lost. On a control connection: that a frame waits for a retransmission.</summary>
    public double Loss { get; init; }

    /// <summary>The probability that a datagram arrives twice.</summary>
    public double Duplication { get; init; }

    /// <summary>
    /// The probability that a datagram is held back for up to <see cref="ReorderDelayNs"/> and may be passed by later ones.
    /// </summary>
    public double Reorder { get; init; }

    /// <summary>The longest a reordered datagram is held back, in nanoseconds.</summary>
    public long ReorderDelayNs { get; init; }

    /// <summary>The probability that one bit of a datagram is flipped.</summary>
    public double Corruption { get; init; }

    /// <summary>This with another's values added.</summary>
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
