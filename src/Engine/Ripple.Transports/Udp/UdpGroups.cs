using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;

namespace Ripple.Transports.Udp;

/// <summary>Joins multicast groups on one interface. Core thread.</summary>
/// <param name="ports">Opens the sockets.</param>
/// <param name="interface">The address of the interface: the one that a node's own ports are bound to.</param>
internal sealed class UdpGroups(UdpPorts ports, IPAddress @interface) : IDatagramGroups
{
    /// <inheritdoc/>
    public bool TryJoin(in NodeAddress group, [NotNullWhen(true)] out IDatagramPort? port, out string reason)
    {
        IPEndPoint endPoint = group.ToEndPoint();
        try
        {
            port = ports.OpenGroup(new UdpGroupOptions { Group = endPoint.Address, Port = endPoint.Port, Interface = @interface });
            reason = string.Empty;
            return true;
        }
        catch (Exception e) when (e is ArgumentException or SocketException)
        {
            port = null;
            reason = $"{endPoint} cannot be joined on {@interface}: {e.Message}";
            return false;
        }
    }
}

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
