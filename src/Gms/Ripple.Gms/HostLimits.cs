using Ripple.Engine.Releases;
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

    /// <summary>
    /// The fewest members of a part of a view, each of which is a ring: a view of twice as many and more has several. Default 24. 0 for one
    /// ring, however many members there are.
    /// </summary>
    public int PartMembers { get; init; } = 24;

    /// <summary>The most packets that the host seals with one key of a region. Default 2^32.</summary>
    public ulong KeyPacketsMax { get; init; } = PacketSealer.PacketsMax;

    /// <summary>
    /// The number of newest releases of an application whose members are remembered, in the store too; a wait for an older one is refused.
    /// Default 1,024.
    /// </summary>
    public int CommitsKept { get; init; } = 1_024;

    /// <summary>The most releases that leave the history in one commit; it begins when there are so many to go. Default 64.</summary>
    public int PrunedReleasesMax { get; init; } = 64;

    /// <summary>
    /// The most changes of keys that leave the history in one commit, for others wait behind it; one release may have more, as when it
    /// came. Default 1,024.
    /// </summary>
    public int PrunedChangesMax { get; init; } = 1_024;

    /// <summary>
    /// The most bytes of values that releases of one such commit brought; one may have brought more. Default 16 MiB.
    /// </summary>
    public long PrunedBytesMax { get; init; } = 16L * 1_024 * 1_024;

    /// <summary>
    /// How long a host waits after its start, in nanoseconds, until members of before that did not come back count as failed. Default 30 s:
    /// a node finds out that its host is gone in four, and tries again after 7.5 at the latest; crowds take turns.
    /// </summary>
    public long ReturnNs { get; init; } = 30_000_000_000;

    /// <summary>The most removed members kept in a frontier table, for waits that began before their removal. Default 512.</summary>
    public int GoneRowsMax { get; init; } = 512;

    /// <summary>
    /// The most releases signed and stored together: they share the signature, and no publisher waits behind more than this. Default 64.
    /// </summary>
    public int BatchReleasesMax { get; init; } = 64;

    /// <summary>The most keys of an application. Default <see cref="ReleaseLimits.KeysMax"/>.</summary>
    public int KeysMax { get; init; } = ReleaseLimits.KeysMax;

    /// <summary>
    /// The most publishes that wait to be ordered, per application; further ones are refused as busy. Default 4,096: at 64 per batch and
    /// flush, a few seconds of a slow disk.
    /// </summary>
    public int PublishesWaitingMax { get; init; } = 4_096;

    /// <summary>The most bytes of past states that are kept for those who ask for them again. Default 64 MiB.</summary>
    public long PastStatesBytesMax { get; init; } = 64 * 1_024 * 1_024;

    /// <summary>What callers of the control channel may ask for.</summary>
    public CallLimits Calls { get; init; } = new();
}
