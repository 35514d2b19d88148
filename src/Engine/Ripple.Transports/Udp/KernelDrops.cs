using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>
/// What the kernel itself counts of one socket: datagrams it dropped because the receive buffer was full. A system call a look. Any thread.
/// </summary>
internal sealed class KernelDrops(Socket socket)
{
    private const int LevelSocket = 1;
    private const int MemoryInfoOption = 55;
    private const int ValueBytes = sizeof(uint);
    private const int DropsIndex = 8;
    private long _last;

    /// <summary>
    /// The count since the socket was opened, modulo 2^32, as the kernel keeps it; what it was last, once the socket is closed, and 0 where
    /// the system does not tell.
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
            // Closed meanwhile, or a kernel without it: what was read last stands.
        }

        return Interlocked.Read(ref _last);
    }
}
