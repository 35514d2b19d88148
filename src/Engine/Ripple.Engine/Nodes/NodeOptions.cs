using Ripple.Engine.Caching;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>A node's identity and session settings. Immutable.</summary>
internal sealed record NodeOptions
{
    /// <summary>The application of this process, as named in its certificate.</summary>
    public required string Application { get; init; }

    /// <summary>The data center. Default <c>default</c>.</summary>
    public string Zone { get; init; } = "default";

    /// <summary>A display name, up to 255 bytes. When empty, the host uses the node id.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Other applications that this node subscribes to, besides its own. Default none.</summary>
    public IReadOnlyList<string> Interest { get; init; } = [];

    /// <summary>Labels for predicates; at most 32.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Labels { get; init; } = [];

    /// <summary>
    /// Selects the keys of an application that this node keeps: application, key. Null keeps all. A filter, not a protection.
    /// </summary>
    public Func<string, string, bool>? IsWanted { get; init; }

    /// <summary>
    /// True where nobody can decide on releases of the own application before <see cref="ApplicationReplica.BeginDeciding"/> is called.
    /// Default false.
    /// </summary>
    public bool HoldsDecisions { get; init; }

    /// <summary>How long a host may take to answer a join. Default 5 s.</summary>
    public long JoinTimeoutNs { get; init; } = 5_000_000_000;

    /// <summary>The first delay before reconnecting; doubles up to <see cref="ReconnectNsMax"/>, with jitter. Default 100 ms.</summary>
    public long ReconnectNsMin { get; init; } = 100_000_000;

    /// <summary>The longest delay before reconnecting, to which jitter adds up to half. Default 5 s.</summary>
    public long ReconnectNsMax { get; init; } = 5_000_000_000;

    /// <summary>
    /// The same for a node that knows several hosts: the delay after it has asked all of them, which it does half of
    /// <see cref="ReconnectNsMin"/> apart. Default 400 ms.
    /// </summary>
    public long ReconnectAmongNsMax { get; init; } = 400_000_000;

    /// <summary>
    /// Over how long nodes spread that come to a host which takes over, but for those with calls, which spread over
    /// <see cref="ReconnectNsMin"/>. Default 1 s.
    /// </summary>
    public long ReturnSpreadNs { get; init; } = 1_000_000_000;

    /// <summary>
    /// How long a gap may last before the node requests catch-up from a host instead of waiting for the stream's repair. Default 300 ms.
    /// </summary>
    public long CatchUpDelayNs { get; init; } = 300_000_000;

    /// <summary>
    /// How long heartbeats may go unanswered before the host is considered lost; never less than four heartbeat intervals. Default 4 s.
    /// </summary>
    public long HostSilenceNsMax { get; init; } = 4_000_000_000;

    /// <summary>The sizes of windows and queues.</summary>
    public NodeLimits Limits { get; init; } = NodeLimits.Default;
}

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

    /// <summary>What the node keeps for others of its region.</summary>
    public CachingOptions Caching { get; init; } = CachingOptions.Default;

    /// <summary>The ring of the node's region.</summary>
    public RingOptions Ring { get; init; } = RingOptions.Default;

    /// <summary>The most packets that the node seals with one key. Default 2^32.</summary>
    public ulong KeyPacketsMax { get; init; } = PacketSealer.PacketsMax;

    /// <summary>The most verified releases that wait for values. Default 256.</summary>
    public int StagedMax { get; init; } = 256;

    /// <summary>The most calls to the host in progress. Default 4,096.</summary>
    public int CallsMax { get; init; } = 4_096;
}
