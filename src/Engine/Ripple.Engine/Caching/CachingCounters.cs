namespace Ripple.Engine.Caching;

/// <summary>
/// Counts what a member has done for others that lost packets. Written on the core thread; other threads may read each value on its own.
/// </summary>
internal sealed class CachingCounters
{
    /// <summary>Requests of other members.</summary>
    public long Naks { get; internal set; }

    /// <summary>Packets asked for that were here.</summary>
    public long Hits { get; internal set; }

    /// <summary>Packets asked for that were not.</summary>
    public long Misses { get; internal set; }

    /// <summary>Packets sent to who asked for them.</summary>
    public long Repairs { get; internal set; }

    /// <summary>Packets that other members sent to this one, which had asked for them.</summary>
    public long Received { get; internal set; }

    /// <summary>Packets not sent, because there was no room or they had just been sent.</summary>
    public long Refused { get; internal set; }
}
