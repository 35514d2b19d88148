using System.Net;
using System.Net.Sockets;

namespace Ripple.Tests.Shared;

/// <summary>
/// Ports for hosts that keep theirs when they are started again. Below the range that systems take the ports of outgoing connections from (32768 on Linux): a port that
/// was merely free a moment ago may be somebody's outgoing connection when the host comes to it.
/// </summary>
internal static class TestPorts
{
    private const int First = 20_000;
    private const int End = 32_000;
    private static readonly Lock Gate = new();
    private static int _next = Random.Shared.Next(First, End);

    public static int Tcp() => Next(SocketType.Stream, ProtocolType.Tcp);

    public static int Udp() => Next(SocketType.Dgram, ProtocolType.Udp);

    /// <summary>Each is given once in a process, and tests of other processes begin elsewhere.</summary>
    private static int Next(SocketType type, ProtocolType protocol)
    {
        lock (Gate)
        {
            while (true)
            {
                int port = _next;
                _next = _next + 1 < End ? _next + 1 : First;
                try
                {
                    using var socket = new Socket(AddressFamily.InterNetwork, type, protocol);
                    socket.Bind(new IPEndPoint(IPAddress.Any, port));
                    return port;
                }
                catch (SocketException e) when (e.SocketErrorCode is SocketError.AddressAlreadyInUse or SocketError.AccessDenied)
                {
                    // Somebody else's.
                }
            }
        }
    }
}
