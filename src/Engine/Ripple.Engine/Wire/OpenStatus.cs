namespace Ripple.Engine.Wire;

/// <summary>What opening a packet found.</summary>
internal enum OpenStatus
{
    /// <summary>A member of the region sealed it, and it is seen for the first time.</summary>
    Ok,

    /// <summary>No packet.</summary>
    BadHeader,

    /// <summary>A packet of another region.</summary>
    WrongRegion,

    /// <summary>Sealed under a key that is not here.</summary>
    UnknownKey,

    /// <summary>Sealed under a key that is no longer accepted.</summary>
    ExpiredKey,

    /// <summary>Its slot is in no view.</summary>
    UnknownSlot,

    /// <summary>Seen before, or too old to tell.</summary>
    Replay,

    /// <summary>Not sealed with the key it names.</summary>
    Forged,
}
