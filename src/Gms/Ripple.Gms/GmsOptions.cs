namespace Ripple.Gms;

/// <summary>How a host keeps its members and delivers. Immutable.</summary>
public sealed record GmsOptions
{
    /// <summary>The host's name. Default <c>host</c>.</summary>
    public string Name { get; init; } = "host";

    /// <summary>The host's zone, for predicates. Default <c>default</c>.</summary>
    public string Zone { get; init; } = "default";

    /// <summary>How often members send a heartbeat. Default 1 s.</summary>
    public long HeartbeatNs { get; init; } = 1_000_000_000;

    /// <summary>How many heartbeats may be missed before a member is removed. Default 3.</summary>
    public int HeartbeatsMissedMax { get; init; } = 3;

    /// <summary>How long joins and removals are gathered into one view. Default 10 ms.</summary>
    public long ViewBatchNs { get; init; } = 10_000_000;

    /// <summary>The most members of one region; further nodes of the same zone, application and interest go into another. From 1 to
    /// 2,400. Default 500.</summary>
    public int RegionMembersMax { get; init; } = 500;

    /// <summary>Values up to this size together travel inside the release's message; larger ones are fetched. Default 64 KiB.</summary>
    public int InlineBytesMax { get; init; } = 64 * 1_024;

    /// <summary>The most bytes of encoded messages kept for streams, an application. Default 8 MiB.</summary>
    public long RecentBytesMax { get; init; } = 8 * 1_024 * 1_024;

    /// <summary>
    /// The most bytes that pass through the host to connections, over all of them: what is read from the store, values that are fetched,
    /// releases to catch up, messages that a connection does not take. Reading waits where there is no room, and of connections that do not
    /// read what they are sent the one with most is closed. At least 64 MiB. Default 128 MiB.
    /// </summary>
    public long PassingBytesMax { get; init; } = 128L * 1_024 * 1_024;

    /// <summary>
    /// The most bytes of publishes under way, over all connections; more are refused as
    /// <see cref="Ripple.Engine.Protocol.ErrorCode.Busy"/>. Default 256 MiB.
    /// </summary>
    public long UploadBytesMax { get; init; } = 256L * 1_024 * 1_024;

    /// <summary>A node that is behind by at most so many releases is brought forward one by one, else by a snapshot. Default 64.</summary>
    public int CatchUpReleasesMax { get; init; } = 64;

    /// <summary>The most sessions. Default 10,000.</summary>
    public int SessionsMax { get; init; } = 10_000;

    /// <summary>How long a region's key is used before the next epoch. Default 24 h.</summary>
    public long KeyLifetimeNs { get; init; } = 24L * 3_600 * 1_000_000_000;

    /// <summary>Switches of the simulator that break one rule each; none in a host. See <c>docs/design/simulation.md</c>.</summary>
    internal PlantedHostBugs Bugs { get; init; } = PlantedHostBugs.None;
}
