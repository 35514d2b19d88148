using Ripple.Load.Fanout;

namespace Ripple.Load.Tests.Fanout;

public sealed class FanoutOptionsTests
{
    [Fact]
    public void Topics_are_one_number_or_several_with_commas()
    {
        Assert.Equal([8], Parse("--json").Topics);
        Assert.Equal([1], Parse("--topics 1").Topics);
        Assert.Equal([1, 1_000, 10_000], Parse("--topics 1,1000,10000 --receivers 8,32").Topics);
    }

    [Theory]
    [InlineData("--topics", "has no value behind it")]
    [InlineData("--topics 0", "'--topics 0'")]
    [InlineData("--topics 1,", "'--topics 1,'")]
    [InlineData("--topics 1,many", "'--topics 1,many'")]
    [InlineData("--topics 100001", "from 1 to 100000")]
    [InlineData("--topics 1,2,3,4,5,6,7,8,9", "up to 8 whole numbers")]
    [InlineData("--receivers 1,0", "'--receivers 1,0'")]
    [InlineData("--mars 1", "'--mars' is not an option")]
    [InlineData("--multicast --unicast", "exclude each other")]
    public void What_is_wrong_is_said(string words, string said)
    {
        Assert.Null(FanoutOptions.Parse(words.Split(' '), out string error));
        Assert.Contains(said, error, StringComparison.Ordinal);
    }

    private static FanoutOptions Parse(string words)
    {
        FanoutOptions? options = FanoutOptions.Parse(words.Split(' '), out string error);
        Assert.Empty(error);
        return options!;
    }
}
