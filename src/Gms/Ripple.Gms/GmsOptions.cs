namespace Ripple.Gms;

/// <summary>Membership and delivery options of a host. Immutable.</summary>
public sealed record GmsOptions
{
    /// <summary>The host's name. Default <c>host</c>.</summary>
    public string Name { get; init; } = "host";

    /// <summary>The host's zone, for predicates. Default <c>default</c>.</summary>
    public string Zone { get; init; } = "default";

    /// <summary>The interval of members' heartbeats. Default 1 s.</summary>
    public long HeartbeatNs { get; init; } = 1_000_000_000;

    /// <summary>The number of missed heartbeats tolerated before a member is removed. Default 3.</summary>
    public int HeartbeatsMissedMax { get; init; } = 3;

    /// <summary>The time during which joins and removals are batched into one view. Default 10 ms.</summary>
    public long ViewBatchNs { get; init; } = 10_000_000;

    /// <summary>
    /// The most members of one region; further nodes of the same zone, application and interest form another. From 1 to 2,400. Default 500.
    /// </summary>
    public int RegionMembersMax { get; init; } = 500;

    /// <summary>The most value bytes inlined in a release message; values that no longer fit are fetched. Default 64 KiB.</summary>
    public int InlineBytesMax { get; init; } = 64 * 1_024;

    /// <summary>The most bytes of encoded messages kept for streams, per application. Default 8 MiB.</summary>
    public long RecentBytesMax { get; init; } = 8 * 1_024 * 1_024;

    /// <summary>
    /// The most bytes in transit through the host to connections, over all of them: store reads, fetched values, releases for catch-up, and
    /// messages that a connection has not taken. Reads wait when there is no room; when messages find no room, the connection with the most
    /// waiting bytes is closed. At least 64 MiB. Default 128 MiB.
    /// </summary>
    public long PassingBytesMax { get; init; } = 128L * 1_024 * 1_024;

    /// <summary>
    /// The most bytes of publishes in progress, over all connections; further ones are refused as
    /// <see cref="Ripple.Engine.Protocol.ErrorCode.Busy"/>. Default 256 MiB.
    /// </summary>
    public long UploadBytesMax { get; init; } = 256L * 1_024 * 1_024;

    /// <summary>
    /// A node at most this many releases behind catches up release by release; one further behind gets a snapshot. Default 64.
    /// </summary>
    public int CatchUpReleasesMax { get; init; } = 64;

    /// <summary>The most sessions. Default 10,000.</summary>
    public int SessionsMax { get; init; } = 10_000;

    /// <summary>The lifetime of a region key before the next key epoch. Default 24 h.</summary>
    public long KeyLifetimeNs { get; init; } = 24L * 3_600 * 1_000_000_000;

    /// <summary>The sizes that no operator sets.</summary>
    internal HostLimits Limits { get; init; } = HostLimits.Default;
}
