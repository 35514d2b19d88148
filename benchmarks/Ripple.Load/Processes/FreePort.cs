using System.Net;
using System.Net.Sockets;

namespace Ripple.Load.Processes;

/// <summary>Ports of the loopback that nobody had a moment ago.</summary>
internal static class FreePort
{
    public static int Tcp() => Find(SocketType.Stream, ProtocolType.Tcp);

    public static int Udp() => Find(SocketType.Dgram, ProtocolType.Udp);

    private static int Find(SocketType type, ProtocolType protocol)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, type, protocol);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
