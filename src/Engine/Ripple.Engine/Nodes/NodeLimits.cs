using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// The sizes of a node's windows and queues. A process uses the defaults; the simulator makes them small, so that they fill, wrap and
/// overflow within a minute.
/// </summary>
internal sealed record NodeLimits
{
    /// <summary>All defaults.</summary>
    public static NodeLimits Default { get; } = new();

    /// <summary>The streams from hosts.</summary>
    public StreamOptions Stream { get; init; } = StreamOptions.Default;

    /// <summary>The ring of the node's region.</summary>
    public RingOptions Ring { get; init; } = RingOptions.Default;

    /// <summary>The most packets that the node seals with one key. Default 2^32.</summary>
    public ulong KeyPacketsMax { get; init; } = PacketSealer.PacketsMax;

    /// <summary>The most verified releases that wait for values. Default 256.</summary>
    public int StagedMax { get; init; } = 256;

    /// <summary>The most calls to the host in progress. Default 4,096.</summary>
    public int CallsMax { get; init; } = 4_096;
}
