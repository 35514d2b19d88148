using System.Net;
using Ripple.Engine.Core;

namespace Ripple.Transports.Udp;

/// <summary>How a UDP port is opened.</summary>
internal sealed record UdpPortOptions
{
    /// <summary>
    /// The address to listen on. Default loopback: not reachable from outside this machine. An "any" address requires
    /// <see cref="AdvertisedAddress"/>; <see cref="IPAddress.IPv6Any"/> accepts IPv4 too.
    /// </summary>
    public IPAddress LocalAddress { get; init; } = IPAddress.Loopback;

    /// <summary>The port; 0 (the default) lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>The address that others are told to send to. Null (the default): <see cref="LocalAddress"/>.</summary>
    public IPAddress? AdvertisedAddress { get; init; }

    /// <summary>
    /// The kind of traffic the port receives: control ports are read first, and have room of their own in the core's queue. Default data.
    /// </summary>
    public PortLane Lane { get; init; } = PortLane.Data;

    /// <summary>
    /// Whether trains are sent and received in one call where the kernel supports it. Default true. False: one datagram per call.
    /// </summary>
    public bool AreTrainsUsed { get; init; } = true;

    /// <summary>How the port sends to multicast groups. Null (the default): not at all.</summary>
    public UdpMulticastOptions? Multicast { get; init; }

    /// <summary>
    /// The requested size of the kernel's receive buffer, in bytes; the kernel may grant less (on Linux, <c>net.core.rmem_max</c>). Default
    /// 4 MiB.
    /// </summary>
    public int ReceiveBufferBytes { get; init; } = 4 << 20;

    /// <summary>The requested size of the kernel's send buffer, in bytes. Default 4 MiB.</summary>
    public int SendBufferBytes { get; init; } = 4 << 20;

    /// <summary>
    /// How many destinations are cached in the kernel's form of the address; one more empties the cache. Default 8,192, above the members
    /// of the largest region.
    /// </summary>
    public int DestinationsMax { get; init; } = 8_192;
}

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
