using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> in which some of the real clients run in a .NET host: releases are its configuration, and its options are
/// validated before one takes effect.
/// </summary>
internal sealed class HostedScenario : IScenario
{
    public const string Name = "hosted";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions clients = ClientsScenario.OptionsOf(seed, options);
        ClusterOptions cluster = clients with { HostedEvery = 2, MoreFaults = clients.MoreFaults | ClusterFaults.RestoreWhileAway };
        return ClusterRun.Run(seed, cluster, options);
    }
}
