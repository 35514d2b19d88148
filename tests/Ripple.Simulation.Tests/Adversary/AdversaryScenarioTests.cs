using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Adversary;

public sealed class AdversaryScenarioTests
{
    private static readonly AdversaryScenario Scenario = new();

    [Fact]
    public void One_seed_gives_one_run()
    {
        RunResult first = Scenario.Run(3, new ScenarioOptions());
        RunResult second = Scenario.Run(3, new ScenarioOptions());

        Assert.Equal(first.StateHash, second.StateHash);
        Assert.Equal(
            (first.Forged, first.ForgedOpened, first.ForgedNew), (second.Forged, second.ForgedOpened, second.ForgedNew));
    }

    [Fact]
    public void One_in_twenty_forgeries_reaches_something_as_new()
    {
        long forged = 0;
        long isNew = 0;
        for (ulong seed = 1; seed <= 6; seed++)
        {
            RunResult result = Scenario.Run(seed, new ScenarioOptions());
            Assert.InRange(result.ForgedNew, 0, result.ForgedOpened);
            Assert.InRange(result.ForgedOpened, 0, result.Forged);
            forged += result.Forged;
            isNew += result.ForgedNew;
        }

        Assert.True(isNew * 20 >= forged, $"{isNew} of {forged}");
    }
}
