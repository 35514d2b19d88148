using System.Net;

namespace Ripple.Transports.Udp;

/// <summary>The options of a port that receives datagrams sent to one multicast group.</summary>
internal sealed record UdpGroupOptions
{
    /// <summary>The group's address, IPv4 (224.0.0.0/4) or IPv6 (ff00::/8).</summary>
    public required IPAddress Group { get; init; }

    /// <summary>The group's port.</summary>
    public required int Port { get; init; }

    /// <summary>
    /// The address of the interface on which the group is joined, of the same address family. Default loopback: nothing from outside this
    /// machine arrives.
    /// </summary>
    public IPAddress Interface { get; init; } = IPAddress.Loopback;

    /// <summary>
    /// The requested size of the kernel's receive buffer, in bytes; the kernel may grant less (on Linux, <c>net.core.rmem_max</c>). Default
    /// 4 MiB.
    /// </summary>
    public int ReceiveBufferBytes { get; init; } = 4 << 20;

    /// <summary>Whether trains are received in one call where the kernel supports it. Default true.</summary>
    public bool AreTrainsUsed { get; init; } = true;
}
