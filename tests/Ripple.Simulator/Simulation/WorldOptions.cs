using Ripple.Simulator.Network;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Simulation;

/// <summary>The sizes and times of a simulated world.</summary>
internal sealed record WorldOptions
{
    /// <summary>The datagram network.</summary>
    public NetworkOptions Network { get; init; } = new();

    /// <summary>The control connections.</summary>
    public LinkNetworkOptions Control { get; init; } = new();

    /// <summary>
    /// The command-line arguments a replay of the run needs besides its seed, such as <c>--nodes 20</c>; empty (the default) for none.
    /// </summary>
    public string ReplayArguments { get; init; } = "";

    /// <summary>Which items the run has. Default <see cref="RunScript.None"/>: all.</summary>
    public RunScript Script { get; init; } = RunScript.None;

    /// <summary>Keeps what happens; null (the default) for nothing.</summary>
    public TraceLog? Trace { get; init; }
}
