using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Gms.Regions;
using Ripple.Transports.Udp;

namespace Ripple.Gms.Server;

/// <summary>
/// The multicast groups that a host sends its regions' streams to, one group per region. Members that do not hear their group receive the
/// stream by unicast. Immutable; checked by <see cref="GmsServer.StartAsync"/>.
/// </summary>
public sealed record GmsMulticastOptions
{
    private const int GroupsMax = 65_536;
    private const int GroupsBitsMax = 16;

    /// <summary>
    /// The groups' addresses, of the listen address's family; of a larger network only the first 65,536 are used. A region that finds none
    /// free uses unicast. No other host within reach of this host's nodes should use them. No default; 239.192.0.0/14 is meant for an
    /// organization's own use.
    /// </summary>
    public required IPNetwork Groups { get; init; }

    /// <summary>The UDP port of all groups, the same on every node. Default 7401.</summary>
    public int Port { get; init; } = 7401;

    /// <summary>
    /// The address of the interface to send multicast from. Null (the default): the listen address, or the system's choice when that is an
    /// "any" address.
    /// </summary>
    public IPAddress? Interface { get; init; }

    /// <summary>
    /// The multicast TTL, which is the number of routers a datagram may pass plus one: 1 (the default) stays on the local network, 0 on
    /// this machine. At most 255.
    /// </summary>
    public int Ttl { get; init; } = 1;

    /// <summary>Whether members on the host's own machine receive the multicast. Default true.</summary>
    public bool IsLoopedBack { get; init; } = true;

    internal UdpMulticastOptions Sending => new() { Interface = Interface, Ttl = Ttl, IsLoopedBack = IsLoopedBack };

    internal GroupRange Range()
    {
        int bits = (8 * Groups.BaseAddress.GetAddressBytes().Length) - Groups.PrefixLength;
        return new GroupRange(NodeAddress.From(new IPEndPoint(Groups.BaseAddress, Port)), bits >= GroupsBitsMax ? GroupsMax : 1 << bits);
    }

    /// <summary>Throws <see cref="GmsServerException"/> for the first invalid option.</summary>
    internal void Check(IPAddress listenAddress)
    {
        if (!AreGroups(Groups))
        {
            throw new GmsServerException(
                $"{Groups} is no network of multicast groups. Give a part of 224.0.0.0/4 but not of 224.0.0.0/24 or 232.0.0.0/8, "
                    + $"as 239.192.0.0/16 is, or of ff00::/8.");
        }

        if (Groups.BaseAddress.AddressFamily != listenAddress.AddressFamily)
        {
            throw new GmsServerException(
                $"The multicast groups {Groups} are not of the family of the address {listenAddress} that the host listens at. "
                    + $"Give groups of its family.");
        }

        if (Interface is not null && Interface.AddressFamily != listenAddress.AddressFamily)
        {
            throw new GmsServerException(
                $"The multicast interface {Interface} is not of the family of the groups {Groups}. "
                    + $"Give an address of that family which an interface of this machine has.");
        }

        if (Port is < 1 or > 65_535)
        {
            throw new GmsServerException($"There is no multicast port {Port}. Give a number from 1 to 65535; every node opens the same.");
        }

        if (Ttl is < 0 or > 255)
        {
            throw new GmsServerException(
                $"The multicast time to live {Ttl} cannot be set. Give a number from 0 to 255; 1 stays on the local network.");
        }
    }

    private static bool AreGroups(IPNetwork network)
    {
        byte[] bytes = network.BaseAddress.GetAddressBytes();
        if (network.BaseAddress.AddressFamily == AddressFamily.InterNetworkV6)
        {
            return network.PrefixLength >= 8 && bytes[0] == 0xFF;
        }

        // With a prefix of at least 8 bits the first octet excludes 232.0.0.0/8; 224.0.0.0/24 needs a check of its own.
        bool isLocalControl = bytes[0] == 224 && bytes[1] == 0 && (bytes[2] == 0 || network.PrefixLength < 24);
        return network.PrefixLength >= 8 && bytes[0] is >= 224 and <= 239 and not 232 && !isLocalControl;
    }
}
