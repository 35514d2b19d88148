using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>
/// Linux's UDP segmentation offload by socket options: one call sends, or takes, many datagrams of one size. Detected by trying.
/// </summary>
internal static class UdpSegmentation
{
    private const int LevelUdp = 17;
    private const int SegmentOption = 103;
    private const int CoalesceOption = 104;

    /// <summary>Has the kernel cut what is sent into datagrams of so many bytes; 0: not at all. False where it cannot.</summary>
    public static bool TrySetSegment(Socket socket, int bytes) => TrySet(socket, SegmentOption, bytes);

    /// <summary>Has the kernel hand over datagrams of one size that arrived behind each other as one. False where it cannot.</summary>
    public static bool TryCoalesce(Socket socket) => TrySet(socket, CoalesceOption, 1);

    /// <summary>True for what a kernel or an interface says that cannot cut this train.</summary>
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
