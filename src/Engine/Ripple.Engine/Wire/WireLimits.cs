using Ripple.Engine.Core;

namespace Ripple.Engine.Wire;

/// <summary>The size limits that all parts of the engine share.</summary>
internal static class WireLimits
{
    /// <summary>The most bytes of a datagram: fits an Ethernet path unfragmented, over IPv4 and UDP (1,500 - 20 - 8).</summary>
    public const int DatagramBytesMax = PortLimits.DatagramBytesMax;

    /// <summary>The fewest bytes that a region's datagrams may be limited to.</summary>
    public const int DatagramBytesMin = PortLimits.DatagramBytesMin;

    /// <summary>The most packets of a train: as many as one call can send and one can receive, below 64 KiB.</summary>
    public const int TrainPacketsMax = PortLimits.TrainPacketsMax;

    /// <summary>The most bytes of a train.</summary>
    public const int TrainBytesMax = PortLimits.TrainBytesMax;

    /// <summary>The most bytes of frames in one packet: a datagram less the clear header (28) and the tag (16).</summary>
    public const int FramesBytesMax = DatagramBytesMax - PacketHeader.Size - PacketHeader.TagSize;

    /// <summary>The most bytes of one stream message, assembled.</summary>
    public const int MessageBytesMax = 120 * 1_024;

    /// <summary>The most bytes of one control frame's body.</summary>
    public const int ControlBytesMax = 128 * 1_024;

    /// <summary>The most members of one region: its view fits one control frame.</summary>
    public const int RegionMembersMax = 2_400;
}
