namespace Ripple.Engine.Core;

/// <summary>
/// What the core reads of a packet's clear header: enough to queue a packet by its class and to split a train. The packet header, in Wire,
/// is written and read with the same constants.
/// </summary>
internal static class PacketLayout
{
    /// <summary>How many priority classes there are.</summary>
    public const int ClassCount = (int)PacketClass.Data + 1;

    /// <summary>The bits of its byte that hold the class; the others are reserved. Right while the count is a power of two.</summary>
    public const int ClassMask = ClassCount - 1;

    /// <summary>Where the byte with the class stands.</summary>
    public const int ClassOffset = 1;

    /// <summary>Where the packet's length stands, little-endian.</summary>
    public const int LengthOffset = 2;

    /// <summary>The bytes of the length.</summary>
    public const int LengthBytes = sizeof(ushort);
}
