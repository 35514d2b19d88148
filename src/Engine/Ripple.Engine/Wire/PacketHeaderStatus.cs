namespace Ripple.Engine.Wire;

/// <summary>Whether a datagram begins with a valid packet header.</summary>
internal enum PacketHeaderStatus
{
    /// <summary>It does.</summary>
    Ok,

    /// <summary>It is shorter than a header and a tag.</summary>
    TooShort,

    /// <summary>Its first byte is not that of a packet of this version.</summary>
    WrongVersion,

    /// <summary>The length in it is not the datagram's.</summary>
    WrongLength,

    /// <summary>A bit that must be zero is not.</summary>
    ReservedBits,

    /// <summary>The class in the counter is not the class of the packet, or the counter is 0.</summary>
    WrongCounter,
}
