using Ripple.Gms;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Cluster.Applications;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>host</c> with three applications, nodes with interests, filters and labels, two publishers for each application with
/// many calls under way, large values, and waits with predicates of all kinds. One node in four runs the real client, and so do all
/// publishers. In every second seed the host keeps few past releases, and in two of five a release takes long to verify, while its values
/// come.
/// </summary>
internal sealed class AppsScenario : IScenario
{
    public const string Name = "apps";

    private const long SecondNs = 1_000_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(seed, OptionsOf(seed, options), options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options)
    {
        ClusterOptions host = HostScenario.OptionsOf(seed, options);
        return host with
        {
            PublishEveryNs = SecondNs * 3 / 2,
            MoreFaults = host.MoreFaults | ClusterFaults.RestoreWhileAway,
            GroupsMax = seed % 3 == 1 ? 4 : 0,
            RealClientsEvery = ApplicationMix.RealClientsEvery,
            Applications = ApplicationMix.Names,
            PublishersEach = 2,
            HasAdminCalls = true,
            VerifyNs = (seed % 5) switch { 3 => 2_000_000, 4 => 20_000_000, _ => host.VerifyNs },
            TuneHost = seed % 2 == 1 ? Forget : null,
            TuneNode = ApplicationMix.Tune,
            TunePublisher = ApplicationMix.Tune,
        };
    }

    private static GmsOptions Forget(GmsOptions options) => options with
    {
        HistoryReleasesMax = 12,
        Limits = options.Limits with { CommitsKept = 8, PrunedReleasesMax = 3 },
    };
}
