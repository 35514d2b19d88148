using Ripple.Simulation.Runs;
using Ripple.Testing.Adversary;
using Ripple.Testing.Cluster;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// A host and its clients, one of which an attacker has captured: it forges what the wire allows, some kinds in each seed. Every third seed
/// expels it on the way, every twelfth while it is away; in every other the network has faults, too; every third has multicast.
/// </summary>
internal sealed class AdversaryScenario : IScenario
{
    public const string Name = "adversary";

    private const long SecondNs = 1_000_000_000;

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        long durationNs = options.Seconds * SecondNs;
        long quietEndNs = Math.Min(durationNs / 2, 20 * SecondNs);
        long attackNs = durationNs - quietEndNs;
        var cluster = new ClusterOptions
        {
            Nodes = options.Nodes,
            DurationNs = durationNs,
            QuietEndNs = quietEndNs,
            PublishEveryNs = 700_000_000,
            HasFaults = seed % 2 == 0,
            HasForger = false,
            GroupsMax = seed % 3 == 1 ? 2 : 0,
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
