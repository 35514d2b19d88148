using Ripple.Simulation.Runs;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Cluster;

namespace Ripple.Simulation.Tests.Stories;

/// <summary>A small cluster with a checker that a test makes up.</summary>
internal sealed class PlantedScenario(Action<SimulatedCluster> check) : IScenario
{
    public const string Checker = "Planted";

    public RunResult Run(ulong seed, ScenarioOptions options)
    {
        var cluster = new SimulatedCluster(
            seed,
            new ClusterOptions
            {
                Nodes = 5,
                DurationNs = 16_000_000_000,
                QuietEndNs = 4_000_000_000,
                Script = options.Script,
                Trace = options.Trace,
            },
            options.ReplayArguments);
        cluster.World.Add(new Planted(cluster, check));
        InvariantViolationException? violation = null;
        try
        {
            cluster.Run();
        }
        catch (InvariantViolationException e)
        {
            violation = e;
        }

        return RunResult.Of(cluster.World, violation, cluster.CommittedCount, cluster.AppliedCount);
    }

    private sealed class Planted(SimulatedCluster cluster, Action<SimulatedCluster> check) : IChecker
    {
        public string Name => Checker;

        public void OnStep(long nowNs) => check(cluster);
    }
}
