using Ripple.Load.Push;

namespace Ripple.Load.Tests.Push;

public sealed class PushOptionsTests
{
    [Fact]
    public void Without_options_300_values_of_1_KB_go_to_50_nodes_20_times_a_second()
    {
        PushOptions options = Parse("--json");

        Assert.Equal((50, 1_024, 300, 20d), (options.Clients, options.Bytes, options.Count, options.Rate));
        Assert.False(options.IsWithoutPeers);
    }

    [Fact]
    public void A_history_has_as_many_releases_as_versions_unless_fewer_are_asked_for()
    {
        Assert.Equal(int.MaxValue, Parse("--history versions.jsonl").Count);
        Assert.Equal(3, Parse("--count 3 --history versions.jsonl").Count);
    }

    [Fact]
    public void Stalls_come_at_half_of_the_maximum_unless_a_rate_is_given()
    {
        Assert.Equal((0d, 20), RateAndSeconds("--stall 500 --processes 10"));
        Assert.Equal((7d, 10), RateAndSeconds("--stall 500 --processes 10 --rate 7 --seconds 10"));
    }

    [Theory]
    [InlineData("--history versions.jsonl")]
    [InlineData("--beside 1024")]
    [InlineData("--stall 500 --processes 10")]
    [InlineData("--deaf --processes 10")]
    public void What_the_peers_do_not_have_is_not_compared_with_them(string words)
    {
        Assert.True(Parse(words).IsWithoutPeers);
        Assert.Contains("--peers", ErrorOf($"{words} --peers folder"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--mars", "'--mars' is not an option")]
    [InlineData("--mars 1", "'--mars' is not an option")]
    [InlineData("--clients", "'--clients' is followed by a whole number above 0, and not by 'nothing'")]
    [InlineData("--clients many", "and not by 'many'")]
    [InlineData("--rate 0", "and not by '0'")]
    [InlineData("--beside -1", "and not by '-1'")]
    [InlineData("--store tape", "sqlite or postgres")]
    [InlineData("--history", "followed by a file")]
    [InlineData("--history a --bytes 10", "--history and --bytes exclude each other")]
    [InlineData("--history a --stall 500 --processes 10", "--history and --stall exclude each other")]
    [InlineData("--beside 1024 --window 4", "--beside and --window exclude each other")]
    [InlineData("--stall 500 --processes 10 --count 5", "--stall and --count exclude each other")]
    [InlineData("--stall 500", "set --processes and --clients to at least 10")]
    [InlineData("--stall 500 --processes 50 --clients 9", "set --processes and --clients to at least 10")]
    [InlineData("--stall 5000 --processes 10", "below 5000 ms")]
    [InlineData("--stall 500 --processes 10 --seconds 4", "set --seconds to at least 5")]
    [InlineData("--deaf", "set --processes and --clients to at least 10")]
    [InlineData("--deaf --processes 10 --multicast", "--deaf and --multicast exclude each other")]
    [InlineData("--disturb 8 --count 20", "set --count to at least")]
    [InlineData("--edit 1 --sdk", "--edit edits the values of bare clients")]
    public void What_is_wrong_is_said(string words, string said) => Assert.Contains(said, ErrorOf(words), StringComparison.Ordinal);

    private static (double Rate, int Seconds) RateAndSeconds(string words)
    {
        PushOptions options = Parse(words);
        return (options.Rate, options.Seconds);
    }

    private static PushOptions Parse(string words)
    {
        PushOptions? options = PushOptions.Parse(words.Split(' '), out string error);
        Assert.Empty(error);
        return options!;
    }

    private static string ErrorOf(string words)
    {
        Assert.Null(PushOptions.Parse(words.Split(' '), out string error));
        return error;
    }
}
