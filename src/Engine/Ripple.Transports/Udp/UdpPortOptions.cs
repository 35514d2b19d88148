using System.Net;
using Ripple.Engine.Core;

namespace Ripple.Transports.Udp;

/// <summary>How a UDP port is opened.</summary>
internal sealed record UdpPortOptions
{
    /// <summary>
    /// Where to listen. Default loopback: nobody outside this machine reaches it. With an "any" address <see cref="AdvertisedAddress"/> is
    /// needed; <see cref="IPAddress.IPv6Any"/> takes IPv4 too.
    /// </summary>
    public IPAddress LocalAddress { get; init; } = IPAddress.Loopback;

    /// <summary>The port; 0 (the default) lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>What others are told to send to. Null (the default): <see cref="LocalAddress"/>.</summary>
    public IPAddress? AdvertisedAddress { get; init; }

    /// <summary>
    /// What comes through the port: control ports are read first, and have room of their own in the core's queue. Default data.
    /// </summary>
    public PortLane Lane { get; init; } = PortLane.Data;

    /// <summary>Whether trains are sent and taken in one call where the kernel can. Default true. False: one datagram a call.</summary>
    public bool AreTrainsUsed { get; init; } = true;

    /// <summary>How the port sends to multicast groups. Null (the default): not at all.</summary>
    public UdpMulticastOptions? Multicast { get; init; }

    /// <summary>
    /// Bytes asked for the kernel's receive buffer; the kernel may give less (on Linux, <c>net.core.rmem_max</c>). Default 4 MiB.
    /// </summary>
    public int ReceiveBufferBytes { get; init; } = 4 << 20;

    /// <summary>Bytes asked for the kernel's send buffer. Default 4 MiB.</summary>
    public int SendBufferBytes { get; init; } = 4 << 20;

    /// <summary>
    /// For how many destinations the kernel's form of the address is kept; one more, and all are made anew as they are used. Default 8,192,
    /// above the members of the largest region.
    /// </summary>
    public int DestinationsMax { get; init; } = 8_192;
}
