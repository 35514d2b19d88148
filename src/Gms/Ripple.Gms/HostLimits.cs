using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Gms;

/// <summary>
/// The sizes of a host's windows, memories and queues that no operator sets. A host uses the defaults; the simulator makes them small, so
/// that they fill, wrap and overflow within a minute.
/// </summary>
internal sealed record HostLimits
{
    /// <summary>All defaults.</summary>
    public static HostLimits Default { get; } = new();

    /// <summary>The streams to regions.</summary>
    public StreamOptions Stream { get; init; } = StreamOptions.Default;

    /// <summary>The most packets that the host seals with one key of a region. Default 2^32.</summary>
    public ulong KeyPacketsMax { get; init; } = PacketSealer.PacketsMax;

    /// <summary>
    /// The number of recent commits whose members are remembered; a wait for an older release binds to the current members. Default 1,024.
    /// </summary>
    public int CommitsKept { get; init; } = 1_024;

    /// <summary>The most removed members kept in a frontier table, for waits that began before their removal. Default 512.</summary>
    public int GoneRowsMax { get; init; } = 512;

    /// <summary>
    /// The most releases signed and stored together: they share the signature, and no publisher waits behind more than this. Default 64.
    /// </summary>
    public int BatchReleasesMax { get; init; } = 64;

    /// <summary>
    /// The most publishes that wait to be ordered, per application; further ones are refused as busy. Default 4,096: at 64 per batch and
    /// flush, a few seconds of a slow disk.
    /// </summary>
    public int PublishesWaitingMax { get; init; } = 4_096;
}
