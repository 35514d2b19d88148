namespace Ripple.Engine.Core;

/// <summary>
/// The four priority classes, on the receive side and the send side alike; lower goes first (QSM 3.1: control before data, or control
/// traffic waits behind what it is to control). The class stands in the packet's clear, authenticated header.
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
