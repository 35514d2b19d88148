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
