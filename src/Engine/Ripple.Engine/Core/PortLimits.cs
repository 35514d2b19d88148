namespace Ripple.Engine.Core;

/// <summary>The sizes that ports and the core agree on.</summary>
internal static class PortLimits
{
    /// <summary>The most bytes of a datagram: what passes an Ethernet path whole, over IPv4 and UDP (1,500 - 20 - 8).</summary>
    public const int DatagramBytesMax = 1_472;

    /// <summary>The most packets of a train: what one call can send and one can receive, below 64 KiB.</summary>
    public const int TrainPacketsMax = 44;

    /// <summary>The most bytes of a train.</summary>
    public const int TrainBytesMax = TrainPacketsMax * DatagramBytesMax;

    /// <summary>
    /// The least bytes of a packet, its clear header and its seal: what says that it is shorter does not say where the next one begins.
    /// </summary>
    public const int PacketBytesMin = 44;
}
