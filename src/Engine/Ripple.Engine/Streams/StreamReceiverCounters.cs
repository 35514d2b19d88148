namespace Ripple.Engine.Streams;

/// <summary>
/// Counts what the receiver of one stream has done. Written on the core thread; other threads may read each value on its own.
/// </summary>
internal sealed class StreamReceiverCounters
{
    /// <summary>Packets taken.</summary>
    public long Packets { get; internal set; }

    /// <summary>Messages delivered.</summary>
    public long Messages { get; internal set; }

    /// <summary>Packets that had been taken before.</summary>
    public long Duplicates { get; internal set; }

    /// <summary>Packets too far ahead.</summary>
    public long OutOfWindow { get; internal set; }

    /// <summary>Packets for which there was no room for assembly.</summary>
    public long NoRoom { get; internal set; }

    /// <summary>Packets and beacons that were malformed.</summary>
    public long Malformed { get; internal set; }

    /// <summary>Beacons that told of more than the sender can have sent.</summary>
    public long BeaconsRefused { get; internal set; }

    /// <summary>Beacons read.</summary>
    public long Beacons { get; internal set; }

    /// <summary>Requests for repair sent.</summary>
    public long Naks { get; internal set; }

    /// <summary>Requests for repair sent to other members, of all.</summary>
    public long PeerNaks { get; internal set; }

    /// <summary>Packets taken that another member repaired.</summary>
    public long PeerRepairs { get; internal set; }

    /// <summary>Packets that another member sent and was not asked for.</summary>
    public long Unasked { get; internal set; }

    /// <summary>Packets in those requests that had been requested before.</summary>
    public long NakRepeats { get; internal set; }

    /// <summary>Sequences given up because the sender no longer has them.</summary>
    public long Skipped { get; internal set; }

    /// <summary>Messages in assembly abandoned because a part was skipped, or was sent before the first sequence owed.</summary>
    public long MessagesAbandoned { get; internal set; }
}
