using Ripple.Gms;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Cluster.Events;
using Ripple.Simulator.Oracles.Events;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// The scenario <c>clients</c> with events by attributes: every second node and the publishers run the real client, subscribe by ranges and
/// emit. In every fourth seed queues have little room, so that events are dropped and told; in another fourth a host keeps few events after
/// a start, so that emitters are told to try again; in another one a window has little room in bytes. In every third seed the disk of the
/// host misbehaves.
/// </summary>
internal sealed class EventsScenario : IScenario
{
    public const string Name = "events";

    private const long SecondNs = 1_000_000_000;
    // More than the grace of a host that starts with the last fault, and what a lost session lives.
    private const long QuietEndNs = 28 * SecondNs;

    public RunResult Run(ulong seed, ScenarioOptions options) => ClusterRun.Run(seed, OptionsOf(seed, options), options);

    /// <summary>The cluster of a seed.</summary>
    public static ClusterOptions OptionsOf(ulong seed, ScenarioOptions options)
    {
        (GmsEventOptions events, EventRules rules) = EventTraffic.OptionsOf(seed);
        ClusterOptions clients = ClientsScenario.OptionsOf(seed, options);
        return clients with
        {
            QuietEndNs = Math.Min(options.Seconds * SecondNs / 2, QuietEndNs),
            PublishEveryNs = SecondNs,
            PublishersEach = 2,
            // Whose right ends is gone at once: whom that is, is judged in the others.
            MoreFaults = ClusterFaults.Slow
                | ClusterFaults.Moments
                | (seed % 3 == 0 ? ClusterFaults.HostDisk : ClusterFaults.None),
            Events = rules,
            TuneHost = host => host with { Events = events },
        };
    }
}
