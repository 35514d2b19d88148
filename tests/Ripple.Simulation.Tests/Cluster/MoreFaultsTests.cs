using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Cluster;

/// <summary>Each profile has the faults it is named after, and is repeatable.</summary>
public sealed class MoreFaultsTests
{
    private static readonly string[] ForAll = ["slow", "tokenRevoked", "enrolledAgain"];

    [Theory]
    [InlineData("adversary", 4)]
    [InlineData("apps", 4, "awayAtRestore")]
    [InlineData("clients", 2, "crashSaving")]
    [InlineData("clock", 8, "clockJump", "awayAtRestore")]
    [InlineData("disk", 2, "diskBusy", "diskFlip", "diskSlow")]
    [InlineData("host", 2)]
    [InlineData("hosted", 12, "awayAtRestore")]
    [InlineData("restore", 2, "hostRestore", "awayAtRestore")]
    [InlineData("small", 4, "awayAtRestore")]
    public void A_profile_has_its_faults_and_those_of_all(string scenario, ulong seed, params string[] faults)
    {
        RunResult run = ScenarioTable.Find(scenario)!.Run(seed, new ScenarioOptions { Scenario = scenario });
        RunResult again = ScenarioTable.Find(scenario)!.Run(seed, new ScenarioOptions { Scenario = scenario });

        Assert.Equal(run.StateHash, again.StateHash);
        Assert.All(faults.Concat(ForAll), f => Assert.True(run.Faults.GetValueOrDefault(f) > 0, $"{f} did not occur"));
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
