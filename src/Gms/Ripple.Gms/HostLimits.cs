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

    /// <summary>
    /// In how many datagrams the parts of a view tell a round at most, where there are more parts than that: leaders of as many consecutive
    /// parts as it takes, that many at least and 255 at most, tell through one of them. More where their aggregates do not fit one
    /// datagram. 0, the default, or 1: each leader tells its own.
    /// </summary>
    public int AggregateDatagramsMax { get; init; }

    /// <summary>
    /// Into how many neighbourhoods the members of a region are cut: fewer where one would have under 12 members, more where one would have
    /// over 16. In each, one member keeps each packet for those who lose it. Nobody does in a region of fewer than twice as many members. 0
    /// for none. Default 5.
    /// </summary>
    public int CacheOwners { get; init; } = 5;

    /// <summary>
    /// Of so many members of a region one may be a leaf: where more hold the others up, or hear nothing, it is the network. Default 8.
    /// </summary>
    public int MembersPerLeaf { get; init; } = 8;

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

    /// <summary>The most definitions of an application, which are the keys of its companion. Default 64.</summary>
    public int DefinitionsMax { get; init; } = 64;

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

/// <summary>
/// What callers may ask for. Reads are calls that may go to the store: history, past states, rollbacks; each holds its place until the
/// connection has taken its answer. Time is core time, as the host estimates it.
/// </summary>
internal sealed record CallLimits
{
    /// <summary>The most reads in progress on one connection; further ones are refused as busy. Default 16.</summary>
    public int ReadsPerConnectionMax { get; init; } = 16;

    /// <summary>
    /// The most reads in progress over all connections. Default 128, of which one token has half, and the tokens of one application three
    /// quarters.
    /// </summary>
    public int ReadsMax { get; init; } = 128;

    /// <summary>
    /// What one connection may spend. Default 50 ms a second for calls, and 150 ms for frames, of which a quarter of a second is kept: what
    /// one connection sends at once holds up the core for no longer than 38 ms.
    /// </summary>
    public SpendingLimits Connection { get; init; } = new(50_000_000, 150_000_000, FrameMsKept: 250);

    /// <summary>
    /// What the connections and requests of one token may spend together. Default 250 ms a second for calls and as much for frames: half of
    /// a core.
    /// </summary>
    public SpendingLimits Token { get; init; } = new(250_000_000, 250_000_000);

    /// <summary>
    /// What the tokens of one application may spend together. Default 350 ms a second for calls and 400 ms for frames: three quarters of a
    /// core.
    /// </summary>
    public SpendingLimits Application { get; init; } = new(350_000_000, 400_000_000);

    /// <summary>The seconds of unused time for calls that a connection, a token or an application keeps. Default 4.</summary>
    public int SecondsKept { get; init; } = 4;
}

/// <summary>Core time per second, as the host estimates it.</summary>
/// <param name="CallNsPerSecond">For calls, in nanoseconds; beyond it they are refused as busy.</param>
/// <param name="FrameNsPerSecond">For the frames themselves, calls or not, in nanoseconds; beyond it they wait, and then the sender does.
/// </param>
/// <param name="FrameMsKept">Of how many milliseconds the unused time for frames is kept. Default 1,000.</param>
internal readonly record struct SpendingLimits(long CallNsPerSecond, long FrameNsPerSecond, int FrameMsKept = 1_000)
{
    /// <summary>The most core time for frames that is kept.</summary>
    public long FrameNsMax => FrameNsPerSecond * FrameMsKept / 1_000;
}
