namespace Ripple.Engine.Streams;

/// <summary>
/// What the sender of one stream has done. Written on the core thread; instruments read it from others, each value by itself.
/// </summary>
internal sealed class StreamCounters
{
    /// <summary>Messages taken from the source.</summary>
    public long Messages { get; internal set; }

    /// <summary>Packets of the stream, each counted once whatever the number of members.</summary>
    public long Packets { get; internal set; }

    /// <summary>Bytes of frames in those packets.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Requests for repair received.</summary>
    public long Naks { get; internal set; }

    /// <summary>Requests for repair that were malformed or for another stream.</summary>
    public long NaksMalformed { get; internal set; }

    /// <summary>Requests that asked for what was never sent, too.</summary>
    public long NaksUnsent { get; internal set; }

    /// <summary>Requests below the window, answered by a beacon.</summary>
    public long NaksTooOld { get; internal set; }

    /// <summary>Repairs sent.</summary>
    public long Repairs { get; internal set; }

    /// <summary>Repairs not queued because the same was sent to the same member a moment ago, or waits.</summary>
    public long RepairsSuppressed { get; internal set; }

    /// <summary>Repairs not queued for want of room.</summary>
    public long RepairsRefused { get; internal set; }

    /// <summary>Beacons to all members.</summary>
    public long Beacons { get; internal set; }

    /// <summary>Beacons to a member that the ring named as behind.</summary>
    public long BeaconsToOne { get; internal set; }

    /// <summary>Times the window was full while there was something to send.</summary>
    public long WindowFull { get; internal set; }

    /// <summary>Times the rate of the stream was lowered because of loss.</summary>
    public long PaceCuts { get; internal set; }

    /// <summary>Times the owner was told that the floor does not move.</summary>
    public long Stalls { get; internal set; }

    /// <summary>Aggregates of views too old or too new to be used.</summary>
    public long AggregatesIgnored { get; internal set; }
}
