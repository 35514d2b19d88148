using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>
/// Linux's UDP segmentation offload, set by socket options: one call sends or receives many datagrams of one size. Support is detected by
/// trying.
/// </summary>
internal static class UdpSegmentation
{
    private const int LevelUdp = 17;
    private const int SegmentOption = 103;
    private const int CoalesceOption = 104;

    /// <summary>
    /// Makes the kernel split sent data into datagrams of this many bytes; 0 turns it off. False where it is not supported.
    /// </summary>
    public static bool TrySetSegment(Socket socket, int bytes) => TrySet(socket, SegmentOption, bytes);

    /// <summary>Makes the kernel hand over consecutive datagrams of one size as one. False where it is not supported.</summary>
    public static bool TryCoalesce(Socket socket) => TrySet(socket, CoalesceOption, 1);

    /// <summary>True for the errors of a kernel or an interface that cannot split a train.</summary>
    public static bool IsRefusal(SocketError error) =>
        error is SocketError.InvalidArgument or SocketError.MessageSize or SocketError.SocketError or SocketError.OperationNotSupported;

    private static bool TrySet(Socket socket, int option, int value)
    {
        if (!OperatingSystem.IsLinux())
        {
            return false;
        }

        try
        {
            Span<byte> bytes = stackalloc byte[sizeof(int)];
            BitConverter.TryWriteBytes(bytes, value);
            socket.SetRawSocketOption(LevelUdp, option, bytes);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
