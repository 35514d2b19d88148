using Ripple.Mutants.Commands;

namespace Ripple.Mutants.Tests.Commands;

public sealed class CommandLineTests
{
    [Fact]
    public void Every_option_is_read()
    {
        CommandLine? line = CommandLine.Parse(
            [
                "--json", "--list", "--room", "Wire", "--only", "Wire-1", "--sample", "12", "--without-tests", "--without-simulator",
                "--resume", "state", "--hours", "1.5", "--draw", "--seed", "7", "--planted", "edge",
            ],
            out string error);

        Assert.Equal("", error);
        Assert.NotNull(line);
        Assert.True(line.IsJson && line.IsList && line.IsDraw && line.IsPlanted);
        Assert.False(line.HasTests || line.HasSimulator);
        Assert.Equal(("Wire", "Wire-1", 12, 7, "edge"), (line.Room, line.Only, line.SampleCount, line.Seed, line.PlantedName));
        Assert.Equal(TimeSpan.FromMinutes(90), line.TimeMax);
        Assert.EndsWith("state", line.ResumePath, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_arguments_all_are_judged_within_four_hours()
    {
        CommandLine line = CommandLine.Parse([], out _)!;

        Assert.True(line.HasTests && line.HasSimulator);
        Assert.Equal(TimeSpan.FromHours(4), line.TimeMax);
    }

    [Theory]
    [InlineData("--what")]
    [InlineData("--sample")]
    [InlineData("--sample", "0")]
    [InlineData("--hours", "-1")]
    [InlineData("--json", "yes")]
    [InlineData("name")]
    public void What_is_no_command_is_named(params string[] arguments)
    {
        Assert.Null(CommandLine.Parse(arguments, out string error));
        Assert.Contains(arguments[0], error, StringComparison.Ordinal);
    }
}
