using System.Net;
using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>Opens sockets as ports need them: bound, and non-blocking for life. No asynchronous call is ever made on one: the runtime would take it over, and
/// emulate the synchronous ones from then on.</summary>
internal static class UdpSocket
{
    private const int WindowsConnectionReset = -1744830452;

    public static Socket Open(UdpPortOptions options)
    {
        var socket = new Socket(options.LocalAddress.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            if (options.LocalAddress.Equals(IPAddress.IPv6Any))
            {
                socket.DualMode = true;
            }

            if (OperatingSystem.IsWindows())
            {
                // Else a peer's closed port fails a later receive of ours.
                socket.IOControl(WindowsConnectionReset, [0, 0, 0, 0], null);
            }

            socket.ReceiveBufferSize = options.ReceiveBufferBytes;
            socket.SendBufferSize = options.SendBufferBytes;
            socket.Bind(new IPEndPoint(options.LocalAddress, options.Port));
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
