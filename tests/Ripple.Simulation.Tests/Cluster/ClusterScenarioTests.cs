using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Cluster;

public sealed class ClusterScenarioTests
{
    private const int SeedsMax = 40;

    private static readonly ClusterScenario Scenario = new();

    public static TheoryData<string> Bugs => [.. Scenario.PlantedBugs.Select(b => b.Name)];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    public void Every_invariant_holds_under_faults(ulong seed)
    {
        RunResult result = Scenario.Run(seed, new ScenarioOptions());

        Assert.Null(result.Violation);
        // A run in which nothing happened proves nothing.
        Assert.True(result.Committed > 5, $"only {result.Committed} releases were committed");
        Assert.True(result.Applied > 50, $"only {result.Applied} states were applied");
        Assert.True(result.Faults.Values.Sum() > 100, "hardly anything went wrong");
    }

    [Fact]
    public void One_seed_gives_one_run()
    {
        RunResult first = Scenario.Run(4, new ScenarioOptions());
        RunResult second = Scenario.Run(4, new ScenarioOptions());
        RunResult other = Scenario.Run(5, new ScenarioOptions());

        Assert.Equal(first.StateHash, second.StateHash);
        Assert.NotEqual(first.StateHash, other.StateHash);
    }

    [Theory]
    [MemberData(nameof(Bugs))]
    public void A_planted_bug_is_found_by_its_checker(string name)
    {
        PlantedBug bug = Scenario.PlantedBugs.Single(b => b.Name == name);
        var options = new ScenarioOptions { PlantedBug = name };
        for (ulong seed = 1; seed <= SeedsMax; seed++)
        {
            if (Scenario.Run(seed, options).Checker == bug.Checker)
            {
                return;
            }
        }

        Assert.Fail($"{bug.Checker} did not find {name} in {SeedsMax} seeds");
    }
}
