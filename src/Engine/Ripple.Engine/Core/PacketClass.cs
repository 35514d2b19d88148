namespace Ripple.Engine.Core;

/// <summary>
/// The four priority classes, for receiving and sending alike; lower goes first (QSM 3.1: otherwise control traffic waits behind the data
/// it is meant to control). The class is part of the packet's clear, authenticated header.
/// </summary>
internal enum PacketClass : byte
{
    /// <summary>Tokens, token acknowledgements, aggregates, beacons.</summary>
    Control = 0,

    /// <summary>Requests for repair.</summary>
    Nak = 1,

    /// <summary>Repairs.</summary>
    Repair = 2,

    /// <summary>First transmissions.</summary>
    Data = 3,
}

/// <summary>
/// The fields of a packet's clear header that the core reads: enough to queue a packet by class and to split a train. The packet header, in
/// Wire, is written and read with the same constants.
/// </summary>
internal static class PacketLayout
{
    /// <summary>The number of priority classes.</summary>
    public const int ClassCount = (int)PacketClass.Data + 1;

    /// <summary>
    /// The bits of the class byte that hold the class; the others are reserved. Valid only while the count is a power of two.
    /// </summary>
    public const int ClassMask = ClassCount - 1;

    /// <summary>The offset of the class byte.</summary>
    public const int ClassOffset = 1;

    /// <summary>The offset of the packet length, little-endian.</summary>
    public const int LengthOffset = 2;

    /// <summary>The size of the length field, in bytes.</summary>
    public const int LengthBytes = sizeof(ushort);
}
