using System.Net;
using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>
/// Opens the sockets of ports: bound, and non-blocking for life. No asynchronous call may be made on them: the runtime would take the
/// socket over, and emulate synchronous calls from then on.
/// </summary>
internal static class UdpSocket
{
    private const int WindowsConnectionReset = -1744830452;
    private const int LinuxIPv4MulticastAll = 49;
    private const int LinuxIPv6MulticastAll = 29;
    private const int LevelIPv4 = 0;
    private const int LevelIPv6 = 41;

    public static Socket Open(UdpPortOptions options) => Make(options.LocalAddress.AddressFamily, socket =>
    {
        if (options.LocalAddress.Equals(IPAddress.IPv6Any))
        {
            socket.DualMode = true;
        }

        socket.ReceiveBufferSize = options.ReceiveBufferBytes;
        socket.SendBufferSize = options.SendBufferBytes;
        socket.Bind(new IPEndPoint(options.LocalAddress, options.Port));
        if (options.Multicast is { } multicast)
        {
            SendTo(socket, multicast, options.LocalAddress);
        }
    });

    public static Socket Join(UdpGroupOptions options) => Make(options.Group.AddressFamily, socket =>
    {
        // Several nodes of one machine may join the same group.
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        socket.ReceiveBufferSize = options.ReceiveBufferBytes;
        bool isIPv6 = options.Group.AddressFamily == AddressFamily.InterNetworkV6;
        // Bound to the group, the socket gets no unicast and no other groups; Windows cannot bind to a group. Linux must also be told to
        // ignore the memberships of other sockets.
        IPAddress any = isIPv6 ? IPAddress.IPv6Any : IPAddress.Any;
        socket.Bind(new IPEndPoint(OperatingSystem.IsWindows() ? any : options.Group, options.Port));
        if (OperatingSystem.IsLinux())
        {
            socket.SetRawSocketOption(isIPv6 ? LevelIPv6 : LevelIPv4, isIPv6 ? LinuxIPv6MulticastAll : LinuxIPv4MulticastAll, [0, 0, 0, 0]);
        }

        if (isIPv6)
        {
            socket.SetSocketOption(
                SocketOptionLevel.IPv6, SocketOptionName.AddMembership, new IPv6MulticastOption(options.Group, options.Interface.ScopeId));
        }
        else
        {
            socket.SetSocketOption(
                SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(options.Group, options.Interface));
        }
    });

    private static void SendTo(Socket socket, UdpMulticastOptions options, IPAddress local)
    {
        IPAddress from = options.Interface ?? local;
        if (socket.AddressFamily == AddressFamily.InterNetworkV6)
        {
            socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastTimeToLive, options.Ttl);
            socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastLoopback, options.IsLoopedBack);
            if (from.ScopeId != 0)
            {
                socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface, (int)from.ScopeId);
            }

            return;
        }

        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive, options.Ttl);
        socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastLoopback, options.IsLoopedBack);
        if (!from.Equals(IPAddress.Any))
        {
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, from.GetAddressBytes());
        }
    }

    private static Socket Make(AddressFamily family, Action<Socket> setUp)
    {
        var socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            if (OperatingSystem.IsWindows())
            {
                // Otherwise a peer's closed port would fail a later receive on this socket.
                socket.IOControl(WindowsConnectionReset, [0, 0, 0, 0], null);
            }

            setUp(socket);
            socket.Blocking = false;
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
