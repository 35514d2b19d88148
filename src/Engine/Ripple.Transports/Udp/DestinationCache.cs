using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;

namespace Ripple.Transports.Udp;

/// <summary>
/// Destinations with their addresses in the kernel's form, cached so that a send does not create them. Emptied when full, and so is what
/// was learnt of their paths.
/// </summary>
internal sealed class DestinationCache(AddressFamily family, int countMax)
{
    private readonly Dictionary<NodeAddress, Destination> _destinations = [];

    /// <summary>The memory of an entry: its share of a table that doubles, the destination, and the address with its bytes.</summary>
    public const int EntryBytes = 224;

    /// <summary>The destination with this address.</summary>
    public Destination Find(in NodeAddress address)
    {
        if (_destinations.TryGetValue(address, out Destination? found))
        {
            return found;
        }

        if (_destinations.Count >= countMax)
        {
            _destinations.Clear();
        }

        var made = new Destination(Make(address));
        _destinations.Add(address, made);
        return made;
    }

    private SocketAddress? Make(in NodeAddress address)
    {
        IPEndPoint endPoint = address.ToEndPoint();
        if (endPoint.AddressFamily == family)
        {
            return endPoint.Serialize();
        }

        return family == AddressFamily.InterNetworkV6 ? new IPEndPoint(endPoint.Address.MapToIPv6(), endPoint.Port).Serialize() : null;
    }
}

/// <summary>A destination as a port knows it. Core thread.</summary>
/// <param name="address">The address in the kernel's form; null when a socket of the port's family cannot reach it.</param>
internal sealed class Destination(SocketAddress? address)
{
    /// <summary>The address in the kernel's form; null when a socket of the port's family cannot reach it.</summary>
    public SocketAddress? Address { get; } = address;

    /// <summary>
    /// True until the kernel refused a train to it whose packets it then took one by one: a path of smaller packets, or an interface that
    /// cannot split. What is refused to this destination says nothing of the others.
    /// </summary>
    public bool TakesTrains { get; set; } = true;
}
