using Ripple.Admin.Contracts;

namespace Ripple.Admin.Tests;

/// <summary>A release as people write it.</summary>
public sealed class ReleaseNumberTests
{
    [Theory]
    [InlineData("0")]
    [InlineData("101")]
    [InlineData("2/101")]
    [InlineData("4294967295/18446744073709551614")]
    public void What_is_read_is_written_the_same(string text)
    {
        Assert.True(ReleaseNumber.TryParse(text, out ReleaseNumber number));
        Assert.Equal(text, number.ToString());
        Assert.Equal(text.Contains('/', StringComparison.Ordinal), number.Generation is not null);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("/")]
    [InlineData("x")]
    [InlineData("-1")]
    [InlineData(" 1")]
    [InlineData("2/")]
    [InlineData("/101")]
    [InlineData("0/101")]
    [InlineData("1/2/3")]
    [InlineData("4294967296/1")]
    [InlineData("18446744073709551615")]
    public void Nothing_else_is_read(string? text) => Assert.False(ReleaseNumber.TryParse(text, out _));

    [Fact]
    public void A_number_alone_has_no_generation() => Assert.Equal(new ReleaseNumber(null, 7), (ReleaseNumber)7UL);
}
