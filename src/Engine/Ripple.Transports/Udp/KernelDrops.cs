using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>
/// The kernel's own count for one socket of datagrams dropped because the receive buffer was full. A system call per read. Any thread.
/// </summary>
internal sealed class KernelDrops(Socket socket)
{
    private const int LevelSocket = 1;
    private const int MemoryInfoOption = 55;
    private const int ValueBytes = sizeof(uint);
    private const int DropsIndex = 8;
    private long _last;

    /// <summary>
    /// The count since the socket was opened, modulo 2^32, as the kernel keeps it; the last value read once the socket is closed, and 0
    /// where the system does not report it.
    /// </summary>
    public long Read()
    {
        if (!OperatingSystem.IsLinux())
        {
            return 0;
        }

        Span<byte> values = stackalloc byte[(DropsIndex + 1) * ValueBytes];
        try
        {
            if (socket.GetRawSocketOption(LevelSocket, MemoryInfoOption, values) == values.Length)
            {
                Interlocked.Exchange(ref _last, BitConverter.ToUInt32(values[(DropsIndex * ValueBytes)..]));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Closed meanwhile, or not supported by the kernel: the last value read stays.
        }

        return Interlocked.Read(ref _last);
    }
}
