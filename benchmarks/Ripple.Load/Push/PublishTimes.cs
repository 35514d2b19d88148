namespace Ripple.Load.Push;

/// <summary>When what happened to one publish, on the monotonic clock all processes share. 0: it did not.</summary>
internal sealed class PublishTimes
{
    /// <summary>Just before the publish call.</summary>
    public long Called { get; set; }

    /// <summary>The call returned.</summary>
    public long Committed { get; set; }

    /// <summary>The first node had it in effect.</summary>
    public long FirstApplied { get; set; } = long.MaxValue;

    /// <summary>The last node had it in effect.</summary>
    public long LastApplied { get; set; }

    /// <summary>The publisher's wait held.</summary>
    public long Proven { get; set; }

    /// <summary>The release it became.</summary>
    public ulong Release { get; set; }

    /// <summary>Nodes that had it, with the right content and number.</summary>
    public int Nodes { get; set; }

    /// <summary>From the publish to the last node, of those that a node has.</summary>
    public static double ToLastMs(IEnumerable<PublishTimes> times, double percent) =>
        Percentile.OfMs(times.Where(t => t.Nodes > 0 && t.Committed > 0).Select(t => t.LastApplied - t.Called), percent);
}
