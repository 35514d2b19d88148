using System.Collections.Frozen;
using Ripple.Engine.Wire;

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

    /// <summary>
    /// The most bytes of a datagram by zone, for zones whose paths take less than an Ethernet network: tunnels, overlay networks, IPv6
    /// (1,452). From 1,200 to 1,472, which is for all zones that are not named. Nodes are told when they join. Default: none is named.
    /// </summary>
    public IReadOnlyDictionary<string, int> DatagramBytes { get; init; } = FrozenDictionary<string, int>.Empty;

    /// <summary>The most value bytes inlined in a release message; values that no longer fit are fetched. Default 64 KiB.</summary>
    public int InlineBytesMax { get; init; } = 64 * 1_024;

    /// <summary>The most bytes of encoded messages kept for streams, per application. Default 8 MiB.</summary>
    public long RecentBytesMax { get; init; } = 8 * 1_024 * 1_024;

    /// <summary>
    /// The most bytes of newest values, over all applications, that are kept so that an edit of one of them costs what it changes and not
    /// the whole value; one whose value before is not here travels whole. 0 keeps none, and no release carries a delta. Default 32 MiB.
    /// </summary>
    public long DeltaBytesMax { get; init; } = 32L * 1_024 * 1_024;

    /// <summary>
    /// The most bytes of newest values, over all applications, that did not fit into their releases and are sent to regions by their
    /// streams; a value longer than this is asked for by each node instead. 0 sends none by streams. Default 32 MiB.
    /// </summary>
    public long StreamedBytesMax { get; init; } = 32L * 1_024 * 1_024;

    /// <summary>
    /// The most bytes in transit through the host to connections, over all of them: store reads, fetched values, releases for catch-up, and
    /// messages that a connection has not taken. Reads wait when there is no room; when messages find no room, the connection with the most
    /// waiting bytes is closed. At least 64 MiB. Default 128 MiB.
    /// </summary>
    public long TransientBytesMax { get; init; } = 128L * 1_024 * 1_024;

    /// <summary>
    /// The most bytes of publishes in progress, over all connections; further ones are refused as
    /// <see cref="Ripple.Engine.Protocol.ErrorCode.Busy"/>. Default 256 MiB.
    /// </summary>
    public long UploadBytesMax { get; init; } = 256L * 1_024 * 1_024;

    /// <summary>
    /// A node at most this many releases behind catches up release by release; one further behind gets a snapshot. Default 64.
    /// </summary>
    public int CatchUpReleasesMax { get; init; } = 64;

    /// <summary>
    /// The number of newest releases of an application that are kept, with their values; older ones go in steps of 64. What they set and
    /// nothing changed since stays. Null keeps all. At least 1,024, which waits and nodes need. Default 100,000.
    /// </summary>
    public int? HistoryReleasesMax { get; init; } = 100_000;

    /// <summary>
    /// How long a release is kept, in nanoseconds, after another took its place; the newest 1,024 are kept in any case. Null (the default)
    /// keeps releases whatever their age. At least a minute.
    /// </summary>
    public long? HistoryAgeNsMax { get; init; }

    /// <summary>The most sessions. Default 10,000.</summary>
    public int SessionsMax { get; init; } = 10_000;

    /// <summary>
    /// The most sessions of nodes with one token, so that one token leaves room for others. Null (the default): nine tenths of
    /// <see cref="SessionsMax"/>.
    /// </summary>
    public int? SessionsPerTokenMax { get; init; }

    /// <summary>
    /// The most regions; a node that would need one more is refused. A region is made for each zone, application and interest, and for each
    /// <see cref="RegionMembersMax"/> nodes of these: a zone that is a host's name makes one for every node. Default 512; at most 16,384.
    /// </summary>
    public int RegionsMax { get; init; } = 512;

    /// <summary>The most regions made for nodes of one token. Null (the default): half of <see cref="RegionsMax"/>.</summary>
    public int? RegionsPerTokenMax { get; init; }

    /// <summary>The most applications that may be created. Default 4,096; at most 65,536.</summary>
    public int ApplicationsMax { get; init; } = 4_096;

    /// <summary>
    /// The most tokens naming an application, revoked ones included, up to which its administrators may make more; an administrator of the
    /// cluster always may. Default 1,000.
    /// </summary>
    public int TokensPerApplicationMax { get; init; } = 1_000;

    /// <summary>The lifetime of a region key before the next key epoch. Default 24 h.</summary>
    public long KeyLifetimeNs { get; init; } = 24L * 3_600 * 1_000_000_000;

    /// <summary>
    /// How long after a member left or failed its region's key changes, in nanoseconds, unless it is a member again by then; and the
    /// shortest time between two changes because a member hears another no more. Each change is a message to every member of the region.
    /// A member whose token ended is kept out at once, whatever this is. Default 5 s.
    /// </summary>
    public long KeyChangeNsMin { get; init; } = 5_000_000_000;

    /// <summary>The bounds of events by attributes.</summary>
    public GmsEventOptions Events { get; init; } = new();

    /// <summary>The effective limit of sessions per token.</summary>
    internal int EffectiveSessionsPerTokenMax => SessionsPerTokenMax ?? Math.Max(1, SessionsMax - (SessionsMax / 10));

    /// <summary>The effective limit of regions per token.</summary>
    internal int EffectiveRegionsPerTokenMax => RegionsPerTokenMax ?? Math.Max(1, RegionsMax / 2);

    /// <summary>The most bytes of a datagram in a zone.</summary>
    internal int DatagramBytesOf(string zone) => DatagramBytes.TryGetValue(zone, out int bytes) ? bytes : WireLimits.DatagramBytesMax;

    /// <summary>The sizes that no operator sets.</summary>
    internal HostLimits Limits { get; init; } = HostLimits.Default;
}
