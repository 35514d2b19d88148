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
