using System.Net;
using System.Net.Sockets;

namespace Ripple.Gms.Server;

/// <summary>Determines the address announced to nodes from the operator's setting. Any thread.</summary>
internal static class AdvertisedAddress
{
    /// <summary>Resolves a name; an address is used as it is.</summary>
    /// <param name="name">A name or an address.</param>
    /// <param name="family">The address family that the host listens with; IPv4 is used if the name has no address of it.</param>
    /// <param name="cancellationToken">Cancels the lookup.</param>
    /// <exception cref="GmsServerException">The name does not resolve to a suitable address.</exception>
    public static async Task<IPAddress> ResolveAsync(string name, AddressFamily family, CancellationToken cancellationToken)
    {
        if (IPAddress.TryParse(name, out IPAddress? address))
        {
            return address;
        }

        try
        {
            IPAddress[] addresses = await Dns.GetHostAddressesAsync(name, cancellationToken).ConfigureAwait(false);
            return addresses.FirstOrDefault(a => a.AddressFamily == family)
                ?? addresses.FirstOrDefault(a => a.AddressFamily == AddressFamily.InterNetwork)
                ?? throw new GmsServerException(
                    $"The advertised name '{name}' has no address of the family that the host listens with. Advertise an address.");
        }
        catch (SocketException e)
        {
            string text = $"The advertised name '{name}' cannot be resolved ({e.Message}). "
                + "Advertise a name that resolves on this machine, or an address.";
            throw new GmsServerException(text, e);
        }
    }
}
