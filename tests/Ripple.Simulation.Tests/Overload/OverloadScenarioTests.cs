using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Overload;

public sealed class OverloadScenarioTests
{
    private static readonly OverloadScenario Scenario = new();

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(8)]
    [InlineData(10)]
    public void Receive_buffers_overflow_and_every_message_arrives_once(ulong seed)
    {
        RunResult result = Scenario.Run(seed, new ScenarioOptions());
        Assert.Null(result.Violation);
        Assert.True(result.Faults["receiveOverflow"] > 1_000, "hardly any buffer was full");
        Assert.True(result.Applied > 1_000, $"only {result.Applied} messages arrived");
    }

    [Theory]
    [InlineData(6)]
    [InlineData(12)]
    public void Random_loss_of_half_a_percent_does_not_slow_the_stream(ulong seed)
    {
        RunResult result = Scenario.Run(seed, new ScenarioOptions());
        Assert.Null(result.Violation);
        Assert.True(result.Faults["datagramLost"] > 1_000, "hardly anything was lost");
    }

    [Fact]
    public void One_seed_gives_one_run()
    {
        RunResult first = Scenario.Run(3, new ScenarioOptions());
        RunResult second = Scenario.Run(3, new ScenarioOptions());
        Assert.Equal(first.StateHash, second.StateHash);
        Assert.NotEqual(first.StateHash, Scenario.Run(5, new ScenarioOptions()).StateHash);
    }
}
