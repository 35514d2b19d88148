namespace Ripple.Engine.Streams;

/// <summary>
/// Counts what the sender of one stream has done. Written on the core thread; other threads may read each value on its own.
/// </summary>
internal sealed class StreamCounters
{
    /// <summary>Messages taken from the source.</summary>
    public long Messages { get; internal set; }

    /// <summary>Bytes of those among them that had time.</summary>
    public long BulkBytes { get; internal set; }

    /// <summary>Packets of the stream, each counted once whatever the number of members.</summary>
    public long Packets { get; internal set; }

    /// <summary>Bytes of frames in those packets.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Requests for repair received.</summary>
    public long Naks { get; internal set; }

    /// <summary>Requests for repair that were malformed or for another stream.</summary>
    public long NaksMalformed { get; internal set; }

    /// <summary>Requests that included sequences never sent.</summary>
    public long NaksUnsent { get; internal set; }

    /// <summary>Requests below the window, answered by a beacon.</summary>
    public long NaksTooOld { get; internal set; }

    /// <summary>Repairs sent.</summary>
    public long Repairs { get; internal set; }

    /// <summary>Repairs queued.</summary>
    public long RepairsQueued { get; internal set; }

    /// <summary>Repairs not queued because the same repair was sent to the same member a moment ago, or is queued.</summary>
    public long RepairsSuppressed { get; internal set; }

    /// <summary>Repairs not queued because the queue was full.</summary>
    public long RepairsRefused { get; internal set; }

    /// <summary>Beacons to all members.</summary>
    public long Beacons { get; internal set; }

    /// <summary>Beacons to a member that the ring named as behind.</summary>
    public long BeaconsToOne { get; internal set; }

    /// <summary>Beacons by which one member alone was told to skip what was sent.</summary>
    public long SkipsToOne { get; internal set; }

    /// <summary>Times the window was full while there was something to send.</summary>
    public long WindowFull { get; internal set; }

    /// <summary>Times the rate of the stream was lowered because of loss.</summary>
    public long PaceCuts { get; internal set; }

    /// <summary>Times the owner was told that the floor does not move.</summary>
    public long Stalls { get; internal set; }

    /// <summary>Aggregates of an unknown view, or with a sequence that was never sent.</summary>
    public long AggregatesIgnored { get; internal set; }
}
