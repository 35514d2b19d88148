using Ripple.Simulation.Runs;
using Ripple.Simulator.Adversary;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host and its clients, one of which an attacker has captured: it forges what the wire allows, some kinds in each seed. Every third seed
/// expels it on the way, every twelfth while it is away; in every other the network has faults, too; every third has multicast.
/// </summary>
internal sealed class AdversaryScenario : IScenario
{
    public const string Name = "adversary";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        ClusterOptions whole = HostScenario.OptionsOf(seed, options);
        long attackNs = whole.DurationNs - whole.QuietEndNs;
        ClusterOptions cluster = whole with
        {
            PublishEveryNs = 700_000_000,
            HasFaults = seed % 2 == 0,
            HasForger = false,
            // The copy would know nothing of the expulsion.
            HasRestore = false,
            RegionMembersMax = 500,
            // A snapshot replaces all that waits in an intake: it must not come to the rescue.
            TuneHost = o => o with { CatchUpReleasesMax = 64 },
            Attack = new AttackOptions
            {
                EndNs = attackNs,
                ExpelNs = seed % 3 == 2 ? attackNs / 2 : null,
                IsAwayWhenExpelled = seed % 12 == 5,
            },
        };
        return ClusterRun.Run(seed, cluster, options);
    }
}
