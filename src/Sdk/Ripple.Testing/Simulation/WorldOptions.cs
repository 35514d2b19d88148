using Ripple.Testing.Network;

namespace Ripple.Testing.Simulation;

/// <summary>The sizes and times of a simulated world.</summary>
internal sealed record WorldOptions
{
    /// <summary>The datagram network.</summary>
    public NetworkOptions Network { get; init; } = new();

    /// <summary>The control connections.</summary>
    public LinkNetworkOptions Control { get; init; } = new();

    /// <summary>
    /// What a replay of the run needs on the command line beside its seed, such as <c>--nodes 20</c>; empty (default) for nothing.
    /// </summary>
    public string ReplayArguments { get; init; } = "";
}
