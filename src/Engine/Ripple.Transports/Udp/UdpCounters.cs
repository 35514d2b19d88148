using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>Counts what a UDP port has done. Written on the core thread; other threads may read each value on its own.</summary>
internal sealed class UdpCounters
{
    // A fixed table, so that counting allocates nothing and other threads can read it meanwhile.
    private static readonly SocketError[] Errors = [.. Enum.GetValues<SocketError>().Distinct().Order()];
    private readonly long[] _failed = new long[Errors.Length];
    private readonly KernelDrops _kernelDrops;

    internal UdpCounters(KernelDrops kernelDrops) => _kernelDrops = kernelDrops;

    /// <summary>Datagrams the kernel accepted.</summary>
    public long Sent { get; internal set; }

    /// <summary>Their bytes.</summary>
    public long SentBytes { get; internal set; }

    /// <summary>Calls that sent more than one datagram.</summary>
    public long Trains { get; internal set; }

    /// <summary>
    /// Trains that the kernel or an interface refused to split; their destinations get one datagram per call from then on.
    /// </summary>
    public long TrainsRefused { get; internal set; }

    /// <summary>Reads that returned data; with trains fewer than <see cref="Received"/>.</summary>
    public long Reads { get; internal set; }

    /// <summary>Datagrams handed to the core.</summary>
    public long Received { get; internal set; }

    /// <summary>Their bytes.</summary>
    public long ReceivedBytes { get; internal set; }

    /// <summary>Sends the kernel had no room for; the sender tries again.</summary>
    public long WouldBlock { get; internal set; }

    /// <summary>
    /// Datagrams the kernel dropped because the receive buffer was full, by its own count (modulo 2^32). Every read is a system call. 0
    /// where the system does not report it (all but Linux).
    /// </summary>
    public long KernelDropped => _kernelDrops.Read();

    /// <summary>Datagrams dropped because they filled the receive buffer, and so may have been truncated.</summary>
    public long Truncated { get; internal set; }

    /// <summary>Datagrams dropped because they were empty, or the port had no handler.</summary>
    public long Unhandled { get; internal set; }

    /// <summary>Sends and receives that failed, for any reason.</summary>
    public long Failed { get; private set; }

    /// <summary>Sends and receives that failed for this reason.</summary>
    public long FailedWith(SocketError error) => _failed[IndexOf(error)];

    internal void AddFailed(SocketError error)
    {
        Failed++;
        _failed[IndexOf(error)]++;
    }

    private static int IndexOf(SocketError error)
    {
        int index = Array.BinarySearch(Errors, error);
        return index >= 0 ? index : Array.BinarySearch(Errors, SocketError.SocketError);
    }
}
