using System.Net;
using System.Net.Sockets;

namespace Ripple.Load.Fanout.Net;

/// <summary>Opens the sockets of the raw side, with the options that the engine's have.</summary>
internal static class LabSocket
{
    private const int SolUdp = 17;
    private const int UdpSegment = 103;
    private const int UdpGro = 104;
    private const int IpMulticastAll = 49;
    private const int BufferBytes = 4 << 20;

    /// <summary>A socket that sends trains of packets of one size, or single datagrams.</summary>
    public static Socket OpenSender(string? netns, IPAddress address, bool isMulticast, int segmentBytes)
    {
        using NetNamespace there = NetNamespace.Enter(netns);
        Socket socket = Open(address, 0);
        if (segmentBytes > 0)
        {
            SetRaw(socket, SolUdp, UdpSegment, segmentBytes);
        }

        if (isMulticast)
        {
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, address.GetAddressBytes());
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive, 1);
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastLoopback, netns is null);
        }

        return socket;
    }

    /// <summary>A socket that receives: trains as one piece when it is to.</summary>
    /// <param name="netns">Where; null: here.</param>
    /// <param name="address">The own address.</param>
    /// <param name="group">The multicast group and its port; null: unicast on a port that the system chooses.</param>
    /// <param name="areTrainsUsed">Takes trains as one.</param>
    /// <param name="isBlocking">Whether reads wait.</param>
    public static Socket OpenReceiver(string? netns, IPAddress address, IPEndPoint? group, bool areTrainsUsed, bool isBlocking)
    {
        using NetNamespace there = NetNamespace.Enter(netns);
        Socket socket = group is null ? Open(address, 0) : Open(group.Address, group.Port);
        if (group is not null)
        {
            SetRaw(socket, 0, IpMulticastAll, 0);
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(group.Address, address));
        }

        if (areTrainsUsed)
        {
            SetRaw(socket, SolUdp, UdpGro, 1);
        }

        socket.Blocking = isBlocking;
        return socket;
    }

    private static Socket Open(IPAddress address, int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = BufferBytes,
            SendBufferSize = BufferBytes,
        };
        if (port != 0)
        {
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        }

        socket.Bind(new IPEndPoint(address, port));
        return socket;
    }

    private static void SetRaw(Socket socket, int level, int option, int value) =>
        socket.SetRawSocketOption(level, option, BitConverter.GetBytes(value));
}
