namespace Ripple.Engine.Core;

/// <summary>
/// Which of a node's two sockets a datagram came through. The kernel's queue of a socket is first in, first out: control has one of its
/// own, and room of its own in the core's queue, so that no flood of data holds it up.
/// </summary>
internal enum PortLane : byte
{
    /// <summary>Tokens, views, beacons and requests for repair.</summary>
    Control = 0,

    /// <summary>Data and repairs.</summary>
    Data = 1,
}
