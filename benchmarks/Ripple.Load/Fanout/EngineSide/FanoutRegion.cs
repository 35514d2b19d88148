using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;

namespace Ripple.Load.Fanout.EngineSide;

/// <summary>What both sides of the benchmark's region agree on.</summary>
internal static class FanoutRegion
{
    public const ulong Origin = 1;

    private const long PaceBytesPerSecond = 8_000_000_000;

    /// <summary>The window alone holds the sender back: how fast the wire is, is what is to be found out.</summary>
    public static StreamOptions Stream { get; } = StreamOptions.Default with
    {
        PaceStartBytesPerSecond = PaceBytesPerSecond,
        PaceMinBytesPerSecond = PaceBytesPerSecond,
        PaceBurstBytes = 4 << 20,
        WindowPackets = 4_096,
    };

    public static RingOptions Ring { get; } = RingOptions.Default with { RoundPacketsMax = Stream.WindowPackets / 2 };

    /// <summary>The one view: the members' slots are 1 and up, in the order of their addresses.</summary>
    public static RegionView View(NodeAddress[] dataAddresses, NodeAddress[] controlAddresses) => new(
        RegionSeal.RegionId,
        new ViewNumber(1, 1),
        dataAddresses.Select(
            (data, i) => new RegionMember((uint)i + 1, new NodeId(0, (ulong)i + 1), (ulong)i + 2, data, controlAddresses[i])));
}
