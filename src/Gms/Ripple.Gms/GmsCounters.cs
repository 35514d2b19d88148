namespace Ripple.Gms;

/// <summary>What a host has done and refused. Written on the core thread; instruments read it from others, each value by itself.</summary>
public sealed class GmsCounters
{
    /// <summary>Members in views now.</summary>
    public long Members { get; internal set; }

    /// <summary>Control connections now.</summary>
    public long Sessions { get; internal set; }

    /// <summary>Joins accepted.</summary>
    public long Joins { get; internal set; }

    /// <summary>Joins refused.</summary>
    public long JoinsRefused { get; internal set; }

    /// <summary>Views made.</summary>
    public long Views { get; internal set; }

    /// <summary>Members removed because their connection broke or they were silent.</summary>
    public long Failures { get; internal set; }

    /// <summary>Members removed because their token was revoked.</summary>
    public long Expulsions { get; internal set; }

    /// <summary>Releases committed.</summary>
    public long Committed { get; internal set; }

    /// <summary>Publishes refused, whatever for.</summary>
    public long PublishesRefused { get; internal set; }

    /// <summary>Control frames that were malformed, unknown, or not allowed.</summary>
    public long ControlRefused { get; internal set; }

    /// <summary>Datagrams that were not opened.</summary>
    public long DatagramsRefused { get; internal set; }

    /// <summary>Datagrams of a good seal whose content is malformed or was not its sealer's to send.</summary>
    public long FramesRefused { get; internal set; }

    /// <summary>Rounds of rings that their leaders told.</summary>
    public long Aggregates { get; internal set; }

    /// <summary>Catch-ups by releases.</summary>
    public long CatchUps { get; internal set; }

    /// <summary>
    /// Releases that a region's stream left out because they were no longer kept for streams when it came to them: the region did not keep
    /// up, and its members catch up from the store.
    /// </summary>
    public long StreamSkips { get; internal set; }

    /// <summary>Members that take their stream through a multicast group now.</summary>
    public long GroupMembers { get; internal set; }

    /// <summary>
    /// Times that a member turned out not to hear its region's multicast group, and stayed with unicast or went back to it.
    /// </summary>
    public long GroupRefusals { get; internal set; }

    /// <summary>Snapshots sent.</summary>
    public long Snapshots { get; internal set; }

    /// <summary>Generations begun because nodes proved that this host's store is older than what it committed.</summary>
    public long Restores { get; internal set; }
}
