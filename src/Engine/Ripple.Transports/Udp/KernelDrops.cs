using System.Collections.Immutable;
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

/// <summary>The kernel's drop counts of all sockets of one core, closed ones included. Written on the core thread, read by any.</summary>
internal sealed class KernelDropTable
{
    private ImmutableArray<KernelDrops> _open = [];
    private long _closed;

    public KernelDrops Open(Socket socket)
    {
        var drops = new KernelDrops(socket);
        ImmutableInterlocked.Update(ref _open, open => open.Add(drops));
        return drops;
    }

    /// <summary>Call it before the socket is closed.</summary>
    public void Close(KernelDrops drops)
    {
        Interlocked.Add(ref _closed, drops.Read());
        ImmutableInterlocked.Update(ref _open, open => open.Remove(drops));
    }

    public long Sum()
    {
        long sum = 0;
        foreach (KernelDrops drops in _open)
        {
            sum += drops.Read();
        }

        return sum + Interlocked.Read(ref _closed);
    }
}
