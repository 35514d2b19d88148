using Ripple.Engine.Core;

namespace Ripple.Engine.Nodes;

/// <summary>What a node is and how it keeps its session. Immutable.</summary>
internal sealed record NodeOptions
{
    /// <summary>The application this process is of; the certificate names the same.</summary>
    public required string Application { get; init; }

    /// <summary>The data centre. Default <c>default</c>.</summary>
    public string Zone { get; init; } = "default";

    /// <summary>A name for people, up to 255 bytes. Empty: the host takes the node id.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Other applications this node wants, besides its own. Default none.</summary>
    public IReadOnlyList<string> Interest { get; init; } = [];

    /// <summary>Labels for predicates; at most 32.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Labels { get; init; } = [];

    /// <summary>Which keys of an application this node takes: application, key. Null takes all. A filter, not a protection.</summary>
    public Func<string, string, bool>? IsWanted { get; init; }

    /// <summary>How long a host has to answer a join. Default 5 s.</summary>
    public long JoinTimeoutNs { get; init; } = 5_000_000_000;

    /// <summary>The first pause before connecting again; doubles to <see cref="ReconnectNsMax"/>, with jitter. Default 100 ms.</summary>
    public long ReconnectNsMin { get; init; } = 100_000_000;

    /// <summary>The longest pause before connecting again. Default 5 s.</summary>
    public long ReconnectNsMax { get; init; } = 5_000_000_000;

    /// <summary>How long a gap may last before the node asks a host instead of waiting for the stream's repair. Default 300 ms.</summary>
    public long CatchUpDelayNs { get; init; } = 300_000_000;

    /// <summary>How long no answer to heartbeats means that the host is gone. Default 4 s.</summary>
    public long HostSilenceNsMax { get; init; } = 4_000_000_000;

    /// <summary>Switches of the simulator that break one rule each; none in a node. See <c>docs/design/simulation.md</c>.</summary>
    public PlantedNodeBugs Bugs { get; init; } = PlantedNodeBugs.None;
}
