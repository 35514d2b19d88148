namespace Ripple.Engine.Wire;

/// <summary>The result of opening a packet.</summary>
internal enum OpenStatus
{
    /// <summary>A member of the region sealed it, and it was not seen before.</summary>
    Ok,

    /// <summary>Not a packet of this version.</summary>
    BadHeader,

    /// <summary>A packet of another region.</summary>
    WrongRegion,

    /// <summary>Sealed under a key that the opener does not have.</summary>
    UnknownKey,

    /// <summary>Sealed under a key that is no longer accepted.</summary>
    ExpiredKey,

    /// <summary>Its slot is not in the view, or must not use the key.</summary>
    UnknownSlot,

    /// <summary>Seen before, or too old to tell.</summary>
    Replay,

    /// <summary>Not sealed with the key it names.</summary>
    Forged,
}
