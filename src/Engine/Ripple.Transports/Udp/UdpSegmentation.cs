using System.Net.Sockets;
using Ripple.Engine.Wire;

namespace Ripple.Transports.Udp;

/// <summary>
/// UDP segmentation offload of one socket, which Linux has: one call sends or receives many datagrams of one size. Set by socket options;
/// support is detected by trying, and given up where the kernel or a path refuses it. Core thread.
/// </summary>
internal sealed class UdpSegmentation
{
    private const int LevelUdp = 17;
    private const int SegmentOption = 103;
    private const int CoalesceOption = 104;

    private readonly Socket _socket;
    private int _bytes;

    /// <summary>Tries whether a socket has it.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="isUsed">False where it is not to be used.</param>
    public UdpSegmentation(Socket socket, bool isUsed)
    {
        _socket = socket;
        IsSupported = isUsed && TrySetOption(socket, SegmentOption, 0);
    }

    /// <summary>Whether several datagrams can be sent in one call.</summary>
    public bool IsSupported { get; }

    /// <summary>True while the kernel splits what is longer than a segment.</summary>
    public bool IsSet => _bytes > 0;

    /// <summary>
    /// Makes the kernel split sent data into datagrams of this many bytes. That stays set between trains: datagrams that are not longer are
    /// sent unchanged.
    /// </summary>
    public bool TrySet(int bytes)
    {
        if (_bytes != bytes)
        {
            if (!IsSupported || bytes > WireLimits.DatagramBytesMax || !TrySetOption(_socket, SegmentOption, bytes))
            {
                return false;
            }

            _bytes = bytes;
        }

        return true;
    }

    /// <summary>Turns it off, until a train is sent again.</summary>
    public void Clear()
    {
        TrySetOption(_socket, SegmentOption, 0);
        _bytes = 0;
    }

    /// <summary>Makes the kernel hand over consecutive datagrams of one size as one. False where it is not supported.</summary>
    public static bool TryCoalesce(Socket socket) => TrySetOption(socket, CoalesceOption, 1);

    /// <summary>True for the errors of a kernel or an interface that cannot split a train.</summary>
    public static bool IsRefusal(SocketError error) =>
        error is SocketError.InvalidArgument or SocketError.MessageSize or SocketError.SocketError or SocketError.OperationNotSupported;

    private static bool TrySetOption(Socket socket, int option, int value)
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
