using Ripple.Simulation.Runs;
using Ripple.Testing.Oracles;

namespace Ripple.Simulation.Tests.Runs;

public class CommandLineTests
{
    [Fact]
    public void Every_option_is_read()
    {
        CommandLine? line = CommandLine.Parse(
            ["--seeds", "5..7", "--json", "--planted", "Bug", "--seconds", "3", "--nodes", "4", "--verbose", "--twice", "--threads", "2"],
            out string error);
        Assert.NotNull(line);
        Assert.Equal("", error);
        Assert.Equal((5UL, 7UL), (line.FirstSeed, line.LastSeed));
        Assert.Equal((3, 4, 2), (line.Seconds, line.Nodes, line.Threads));
        Assert.True(line.IsJson && line.IsVerbose && line.IsTwice && line.IsPlanted);
        Assert.Equal("Bug", line.PlantedName);
    }

    [Fact]
    public void Without_arguments_the_defaults_hold()
    {
        CommandLine line = CommandLine.Parse([], out _)!;
        Assert.Equal((60, 10), (line.Seconds, line.Nodes));
        Assert.False(line.IsPlanted);
        Assert.Equal("", line.Scenario.ReplayArguments);
    }

    [Fact]
    public void The_scenario_is_part_of_a_replay()
    {
        CommandLine line = CommandLine.Parse(["--scenario", "overload"], out _)!;
        Assert.Equal("overload", line.ScenarioName);
        Assert.Equal("--scenario overload", line.Scenario.ReplayArguments);
        Assert.Equal("host", CommandLine.Parse([], out _)!.ScenarioName);
    }

    [Theory]
    [InlineData("all", (int)Judges.All)]
    [InlineData("content,Superseded", (int)(Judges.Content | Judges.Superseded))]
    public void More_is_judged_by_name_and_that_is_part_of_a_replay(string text, int value)
    {
        var judges = (Judges)value;
        CommandLine line = CommandLine.Parse(["--judge", text], out _)!;
        Assert.Equal(judges, line.Scenario.Judges);
        Assert.Equal(judges, CommandLine.Parse(line.Scenario.ReplayArguments.Split(' '), out _)!.Judges);
    }

    [Fact]
    public void One_seed_alone_is_a_range_and_planted_may_stand_without_a_name()
    {
        CommandLine line = CommandLine.Parse(["--planted", "--seeds", "9"], out _)!;
        Assert.Equal((9UL, 9UL), (line.FirstSeed, line.LastSeed));
        Assert.True(line.IsPlanted);
        Assert.Null(line.PlantedName);
    }

    [Fact]
    public void A_drawn_start_is_another_each_time_and_beyond_the_seeds_that_anybody_names()
    {
        CommandLine line = CommandLine.Parse(["--random", "500"], out _)!;
        Assert.True(line.IsDrawn);
        Assert.Equal(499UL, line.LastSeed - line.FirstSeed);
        Assert.True(line.FirstSeed >= 10_000_000);
        Assert.Contains(Enumerable.Range(0, 10), _ => CommandLine.Parse(["--random", "500"], out string _)!.FirstSeed != line.FirstSeed);
    }

    [Theory]
    [InlineData("--seeds")]
    [InlineData("--seeds", "7..5")]
    [InlineData("--seeds", "a..b")]
    [InlineData("--seeds", "1..2..3")]
    [InlineData("--random")]
    [InlineData("--random", "0")]
    [InlineData("--seconds", "0")]
    [InlineData("--nodes", "-1")]
    [InlineData("--json", "yes")]
    [InlineData("--scenario", "none")]
    [InlineData("--judge", "7")]
    [InlineData("--judge", "everything")]
    [InlineData("--keep-nodes", "5-3")]
    [InlineData("--trace")]
    [InlineData("--shrink", "yes")]
    [InlineData("--what")]
    [InlineData("5")]
    public void What_is_no_command_is_named(params string[] arguments)
    {
        Assert.Null(CommandLine.Parse(arguments, out string error));
        Assert.Contains(arguments[0], error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_replay_repeats_what_is_not_the_default()
    {
        var options = new ScenarioOptions { Seconds = 5, Nodes = 3 };
        Assert.Equal("--seconds 5 --nodes 3", options.ReplayArguments);
    }

    [Fact]
    public void What_a_run_keeps_is_read_and_is_part_of_a_replay()
    {
        CommandLine line = CommandLine.Parse(
            ["--keep-faults", "3-5,restore", "--keep-publishes", "none", "--shrink", "--trace", "file", "--messages"], out string error)!;
        Assert.Equal("", error);
        Assert.Equal(["3", "4", "5", "restore"], line.Excerpt.Faults);
        Assert.Empty(line.Excerpt.Publishes!);
        Assert.Null(line.Excerpt.Nodes);
        Assert.Equal("--keep-faults 3-5,restore --keep-publishes none", line.Scenario.ReplayArguments);
        Assert.True(line.IsShrinking && line.HasMessages);
        Assert.Equal("file", line.TracePath);
    }
}
