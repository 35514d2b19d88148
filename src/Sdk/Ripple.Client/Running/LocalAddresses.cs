using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>Finds the local address used to reach the hosts; other members reach this machine at the same address.</summary>
internal static class LocalAddresses
{
    private static readonly TimeSpan LookUpTimeout = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Asks the system for its route to each host, without sending anything. If no route is found within 2 s, returns the first IPv4
    /// address of an interface that is up, or else the loopback address.
    /// </summary>
    public static async Task<IPAddress> FindAsync(IReadOnlyList<HostEndpoint> endpoints, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(LookUpTimeout);
        foreach (HostEndpoint endpoint in endpoints)
        {
            try
            {
                foreach (IPAddress host in await Dns.GetHostAddressesAsync(endpoint.Host, limit.Token).ConfigureAwait(false))
                {
                    if (RouteTo(new IPEndPoint(host, endpoint.Port)) is { } local)
                    {
                        return local;
                    }
                }
            }
            catch (SocketException)
            {
                // The name does not resolve: try the next host.
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                break;
            }
        }

        return FirstUp() ?? IPAddress.Loopback;
    }

    private static IPAddress? RouteTo(IPEndPoint host)
    {
        try
        {
            using var socket = new Socket(host.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(host);
            return (socket.LocalEndPoint as IPEndPoint)?.Address;
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private static IPAddress? FirstUp()
    {
        try
        {
            return NetworkInterface.GetAllNetworkInterfaces()
                .Where(n => n.OperationalStatus == OperationalStatus.Up && n.NetworkInterfaceType != NetworkInterfaceType.Loopback)
                .SelectMany(n => n.GetIPProperties().UnicastAddresses.Select(a => a.Address))
                .FirstOrDefault(a => a.AddressFamily == AddressFamily.InterNetwork);
        }
        catch (NetworkInformationException)
        {
            return null;
        }
    }
}
