using Ripple.Attacks.Attacks;
using Ripple.Attacks.Runs;

namespace Ripple.Attacks.Tests;

public sealed class CommandLineTests
{
    [Fact]
    public void Without_options_every_attack_is_made_at_full_length()
    {
        CommandLine line = CommandLine.Parse([], out _)!;

        Assert.Equal((AttackTable.All.Count, 300, 30d), (line.Attacks.Count, line.Publishes, line.Settle.TotalSeconds));
    }

    [Fact]
    public void Attacks_are_named_in_one_option_or_several()
    {
        string[] words = ["--attack", "many-keys", "slot-epochs", "--publishes", "40", "--attack", "json-bomb"];
        CommandLine line = CommandLine.Parse(words, out _)!;

        Assert.Equal(["many-keys", "slot-epochs", "json-bomb"], line.Attacks.Select(a => a.Name));
        Assert.Equal(40, line.Publishes);
    }

    [Theory]
    [InlineData("--mars")]
    [InlineData("--attack")]
    [InlineData("--attack mars")]
    [InlineData("--publishes")]
    [InlineData("--publishes many")]
    [InlineData("--host")]
    public void What_is_not_understood_is_said(string words)
    {
        Assert.Null(CommandLine.Parse(words.Split(' '), out string error));
        Assert.NotEmpty(error);
    }

    [Fact]
    public void Each_attack_has_a_name_of_its_own_that_a_command_line_can_say()
    {
        Assert.Equal(AttackTable.All.Count, AttackTable.All.Select(a => a.Name).Distinct().Count());
        Assert.All(AttackTable.All, a => Assert.Matches("^[a-z][a-z-]+$", a.Name));
    }
}
