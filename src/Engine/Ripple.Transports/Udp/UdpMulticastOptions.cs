using System.Net;

namespace Ripple.Transports.Udp;

/// <summary>How a port sends to multicast groups. Without these options a port only sends unicast.</summary>
internal sealed record UdpMulticastOptions
{
    /// <summary>
    /// The address of the interface through which multicast is sent. Null (the default): the port's local address, or the system's choice
    /// when that is an "any" address.
    /// </summary>
    public IPAddress? Interface { get; init; }

    /// <summary>How many routers a datagram may pass, plus one. Default 1: it stays on the local network.</summary>
    public int Ttl { get; init; } = 1;

    /// <summary>Whether members on this machine receive the datagrams sent from it. Default true.</summary>
    public bool IsLoopedBack { get; init; } = true;
}
