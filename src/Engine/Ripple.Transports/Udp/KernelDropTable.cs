using System.Collections.Immutable;
using System.Net.Sockets;

namespace Ripple.Transports.Udp;

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
