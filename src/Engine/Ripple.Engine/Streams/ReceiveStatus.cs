namespace Ripple.Engine.Streams;

/// <summary>What a receiver did with a packet or a beacon.</summary>
internal enum ReceiveStatus
{
    /// <summary>Taken.</summary>
    Accepted,

    /// <summary>Taken before.</summary>
    Duplicate,

    /// <summary>Too far ahead of what is contiguous: not taken; asked for when the window gets there.</summary>
    OutOfWindow,

    /// <summary>Its messages do not fit the room for assembly now: not taken, and asked for like a lost packet.</summary>
    NoRoom,

    /// <summary>Not what a sender of this stream writes; nothing of it was taken.</summary>
    Malformed,
}
