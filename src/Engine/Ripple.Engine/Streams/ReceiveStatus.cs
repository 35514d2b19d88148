namespace Ripple.Engine.Streams;

/// <summary>What a receiver did with a packet or a beacon.</summary>
internal enum ReceiveStatus
{
    /// <summary>Taken.</summary>
    Accepted,

    /// <summary>Taken before.</summary>
    Duplicate,

    /// <summary>Too far ahead of the contiguous packets: not taken; requested when the window gets there.</summary>
    OutOfWindow,

    /// <summary>Its messages do not fit into the room for assembly now: not taken, and requested like a lost packet.</summary>
    NoRoom,

    /// <summary>Not a valid packet or beacon of this stream; nothing of it was taken.</summary>
    Malformed,
}
