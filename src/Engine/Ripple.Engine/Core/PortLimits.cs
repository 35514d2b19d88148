namespace Ripple.Engine.Core;

/// <summary>Sizes shared by ports and the core.</summary>
internal static class PortLimits
{
    /// <summary>The most bytes of a datagram: fits an Ethernet path unfragmented, over IPv4 and UDP (1,500 - 20 - 8).</summary>
    public const int DatagramBytesMax = 1_472;

    /// <summary>
    /// The fewest bytes that a region's datagrams may be limited to: what paths of the internet take (RFC 9000, section 14).
    /// </summary>
    public const int DatagramBytesMin = 1_200;

    /// <summary>The most packets of a train: as many as one call can send and one can receive, below 64 KiB.</summary>
    public const int TrainPacketsMax = 44;

    /// <summary>The most bytes of a train.</summary>
    public const int TrainBytesMax = TrainPacketsMax * DatagramBytesMax;

    /// <summary>
    /// The fewest bytes of a packet, its clear header and its seal. A smaller length field does not show where the next packet begins.
    /// </summary>
    public const int PacketBytesMin = 44;
}
