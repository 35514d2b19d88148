using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>Each profile has the faults it is named after, and is repeatable.</summary>
public sealed class MoreFaultsTests
{
    [Theory]
    [InlineData("clock", "clockJump", "slow", "crashSaving")]
    [InlineData("disk", "diskBusy", "diskFlip", "diskSlow")]
    [InlineData("host", "tokenRevoked", "enrolledAgain", "slow")]
    [InlineData("restore", "hostRestore", "awayAtRestore", "slow")]
    public void A_profile_has_its_faults(string scenario, params string[] faults)
    {
        RunResult run = ScenarioTable.Find(scenario)!.Run(2, new ScenarioOptions { Scenario = scenario });
        RunResult again = ScenarioTable.Find(scenario)!.Run(2, new ScenarioOptions { Scenario = scenario });

        Assert.Equal(run.StateHash, again.StateHash);
        Assert.All(faults, f => Assert.True(run.Faults.GetValueOrDefault(f) > 0, $"{f} did not occur"));
        Assert.True(run.Committed > 10, $"only {run.Committed} releases were committed");
    }

    [Fact]
    public void Every_invariant_holds_while_clocks_jump()
    {
        foreach (ulong seed in new ulong[] { 1, 3, 5 })
        {
            Assert.Null(new ClockScenario().Run(seed, new ScenarioOptions { Scenario = "clock" }).Violation);
        }
    }
}
