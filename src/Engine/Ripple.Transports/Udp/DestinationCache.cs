using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;

namespace Ripple.Transports.Udp;

/// <summary>Destination addresses in the kernel's form, cached so that a send does not create them. Emptied when full.</summary>
internal sealed class DestinationCache(AddressFamily family, int countMax)
{
    private readonly Dictionary<NodeAddress, SocketAddress?> _addresses = [];

    /// <summary>The memory of an entry: its share of a table that doubles, and the address with its bytes.</summary>
    public const int EntryBytes = 192;

    /// <summary>The address for a socket of this family; null when such a socket cannot reach it.</summary>
    public SocketAddress? Find(in NodeAddress address)
    {
        if (_addresses.TryGetValue(address, out SocketAddress? found))
        {
            return found;
        }

        if (_addresses.Count >= countMax)
        {
            _addresses.Clear();
        }

        SocketAddress? made = Make(address);
        _addresses.Add(address, made);
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
