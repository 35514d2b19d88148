namespace Ripple.Engine.Core;

/// <summary>
/// Which of a node's two sockets received a datagram. The kernel's queue of a socket is first in, first out, so control has its own socket,
/// and its own room in the core's queue: a flood of data cannot delay it.
/// </summary>
internal enum PortLane : byte
{
    /// <summary>Tokens, views, beacons and requests for repair.</summary>
    Control = 0,

    /// <summary>Data and repairs.</summary>
    Data = 1,
}
