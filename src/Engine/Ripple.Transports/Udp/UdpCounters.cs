using System.Net.Sockets;

namespace Ripple.Transports.Udp;

/// <summary>What a UDP port has done. Written on the core thread; instruments read it from others, each value by itself.</summary>
internal sealed class UdpCounters
{
    // A fixed table, so that counting allocates nothing and others may read meanwhile.
    private static readonly SocketError[] Errors = [.. Enum.GetValues<SocketError>().Distinct().Order()];
    private readonly long[] _failed = new long[Errors.Length];
    private readonly KernelDrops _kernelDrops;

    internal UdpCounters(KernelDrops kernelDrops) => _kernelDrops = kernelDrops;

    /// <summary>Datagrams the kernel took.</summary>
    public long Sent { get; internal set; }

    /// <summary>Their bytes.</summary>
    public long SentBytes { get; internal set; }

    /// <summary>Calls that sent more than one datagram.</summary>
    public long Trains { get; internal set; }

    /// <summary>
    /// Trains that the kernel or an interface refused to cut; their datagrams went one a call, as all did from the first one on.
    /// </summary>
    public long TrainsRefused { get; internal set; }

    /// <summary>Reads that brought something; with trains less than <see cref="Received"/>.</summary>
    public long Reads { get; internal set; }

    /// <summary>Datagrams handed to the core.</summary>
    public long Received { get; internal set; }

    /// <summary>Their bytes.</summary>
    public long ReceivedBytes { get; internal set; }

    /// <summary>Sends the kernel had no room for; tried again by the sender.</summary>
    public long WouldBlock { get; internal set; }

    /// <summary>
    /// Datagrams the kernel dropped because the receive buffer was full, as it counts them itself (modulo 2^32): read from it now, by a
    /// system call. 0 where the system does not tell (all but Linux).
    /// </summary>
    public long KernelDropped => _kernelDrops.Read();

    /// <summary>Datagrams dropped because they filled the receive buffer, and so may have been cut.</summary>
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
