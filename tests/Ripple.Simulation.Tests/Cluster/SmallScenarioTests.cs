using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Cluster;

public sealed class SmallScenarioTests
{
    private static readonly SmallScenario Scenario = new();

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    public void Every_invariant_holds_with_small_windows_and_queues(ulong seed)
    {
        RunResult result = Scenario.Run(seed, new ScenarioOptions());

        Assert.Null(result.Violation);
        Assert.True(result.Committed > 40, $"only {result.Committed} releases were committed");
        Assert.True(result.Applied > 200, $"only {result.Applied} states were applied");
    }

    [Fact]
    public void The_sizes_make_a_difference()
    {
        RunResult small = Scenario.Run(2, new ScenarioOptions());
        RunResult again = Scenario.Run(2, new ScenarioOptions());
        RunResult ordinary = new HostScenario().Run(2, new ScenarioOptions());
        long smallCommitted = Committed(Scenario);
        long ordinaryCommitted = Committed(new HostScenario());

        Assert.Equal(small.StateHash, again.StateHash);
        Assert.NotEqual(ordinary.StateHash, small.StateHash);
        // Publishes come four times as often, and wait more often.
        Assert.True(2 * smallCommitted > 3 * ordinaryCommitted, $"{smallCommitted} against {ordinaryCommitted}");
    }

    private static long Committed(IScenario scenario) =>
        Enumerable.Range(1, 4).Sum(seed => scenario.Run((ulong)seed, new ScenarioOptions()).Committed);
}
