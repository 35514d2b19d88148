using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Cluster;

public class ForkScenarioTests
{
    private static readonly ScenarioOptions Options = new() { Nodes = 4, Seconds = 60 };

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(8)]
    public void A_number_that_is_given_twice_is_settled(ulong seed)
    {
        RunResult first = new ForkScenario().Run(seed, Options);
        RunResult second = new ForkScenario().Run(seed, Options);

        Assert.Null(first.Violation);
        Assert.Equal(first.StateHash, second.StateHash);
        Assert.Equal(seed % 4 < 2 ? 1 : 0, first.Faults.GetValueOrDefault("sameNumber"));
        Assert.Equal(4, first.Faults.GetValueOrDefault("awayAtRestore"));
    }
}
