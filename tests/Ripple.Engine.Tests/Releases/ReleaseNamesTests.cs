using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ReleaseNamesTests
{
    [Theory]
    [InlineData("a")]
    [InlineData("0")]
    [InlineData("checkout.web-1_x")]
    public void Application_names_are_accepted(string name) => Assert.Null(ReleaseNames.CheckApplication(name));

    [Theory]
    [InlineData("")]
    [InlineData(null)]
    [InlineData("-a")]
    [InlineData(".a")]
    [InlineData("_a")]
    [InlineData("A")]
    [InlineData("a b")]
    [InlineData("a/b")]
    [InlineData("é")]
    public void Application_names_are_refused(string? name) => Assert.NotNull(ReleaseNames.CheckApplication(name));

    [Fact]
    public void Lengths_are_counted_in_bytes_of_utf8()
    {
        Assert.Null(ReleaseNames.CheckApplication(new string('a', 100)));
        Assert.NotNull(ReleaseNames.CheckApplication(new string('a', 101)));
        Assert.Null(ReleaseNames.CheckKey(new string('é', 256)));
        Assert.NotNull(ReleaseNames.CheckKey(new string('é', 256) + "x"));
        Assert.Null(ReleaseNames.CheckActor(new string('x', 255)));
        Assert.NotNull(ReleaseNames.CheckActor(new string('x', 256)));
        Assert.Null(ReleaseNames.CheckNote(new string('x', 2048)));
        Assert.NotNull(ReleaseNames.CheckNote(new string('x', 2049)));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\0")]
    [InlineData("a\n")]
    [InlineData("a\u0085")]
    [InlineData("\u007F")]
    public void Keys_are_refused(string key) => Assert.NotNull(ReleaseNames.CheckKey(key));

    [Theory]
    [InlineData("appsettings.json")]
    [InlineData("Ключ/\U0001F600 with spaces")]
    public void Keys_are_accepted(string key) => Assert.Null(ReleaseNames.CheckKey(key));

    [Fact]
    public void Halves_of_a_surrogate_pair_are_refused()
    {
        Assert.NotNull(ReleaseNames.CheckKey("a\uD800"));
        Assert.NotNull(ReleaseNames.CheckKey("\uD800a"));
        Assert.NotNull(ReleaseNames.CheckKey("\uDC00\uD800"));
    }

    [Fact]
    public void What_is_wrong_says_where()
    {
        Assert.Contains("position 4", ReleaseNames.CheckKey("abc\u0001"), StringComparison.Ordinal);
        Assert.Contains("'B' at position 2", ReleaseNames.CheckApplication("aB"), StringComparison.Ordinal);
        Assert.Null(ReleaseNames.CheckNote("two\r\n\tlines"));
    }
}
