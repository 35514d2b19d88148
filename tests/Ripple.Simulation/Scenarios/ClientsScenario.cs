using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>host</c> in which every second node and the publisher run the real client of the SDK, on disks that fail; the publisher
/// also rolls back and reads, with many calls under way, and changes what its application says about itself. In every fourth seed some
/// nodes reject half of the releases.
/// </summary>
internal sealed class ClientsScenario : IScenario
{
    public const string Name = "clients";

    public RunResult Run(ulong seed, ScenarioOptions options) =>
        ClusterRun.Run(seed, OptionsOf(seed, options) with { ChangesDefinitions = true }, options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options) =>
        HostScenario.OptionsOf(seed, options) with
        {
            RealClientsEvery = 2,
            // Who rejects often comes to nothing accepted often, and starts from an earlier release.
            RejectShare = seed % 4 == 0 ? 0.5 : 0.05,
        };
}
