using System.Net;
using System.Net.Sockets;

namespace Ripple.Attacks.Stages;

/// <summary>A TCP port of the loopback that nobody had a moment ago.</summary>
internal static class FreePort
{
    public static int Find()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
