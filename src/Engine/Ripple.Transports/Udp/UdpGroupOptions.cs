using System.Net;

namespace Ripple.Transports.Udp;

/// <summary>How a port is opened that takes what is sent to one multicast group.</summary>
internal sealed record UdpGroupOptions
{
    /// <summary>The group's address, IPv4 (224.0.0.0/4) or IPv6 (ff00::/8).</summary>
    public required IPAddress Group { get; init; }

    /// <summary>The group's port.</summary>
    public required int Port { get; init; }

    /// <summary>
    /// The address of the interface that the group is joined on, of the group's family. Default loopback: nothing from outside this machine
    /// arrives.
    /// </summary>
    public IPAddress Interface { get; init; } = IPAddress.Loopback;

    /// <summary>
    /// Bytes asked for the kernel's receive buffer; the kernel may give less (on Linux, <c>net.core.rmem_max</c>). Default 4 MiB.
    /// </summary>
    public int ReceiveBufferBytes { get; init; } = 4 << 20;

    /// <summary>Whether trains are taken in one call where the kernel can. Default true.</summary>
    public bool AreTrainsUsed { get; init; } = true;
}
