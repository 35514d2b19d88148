using System.Text;
using Ripple.Trust;

namespace Ripple.Transports.Tests.Trust;

/// <summary>Which characters are shown as they are, and what is shown instead of the others.</summary>
public sealed class ShownTextTests
{
    [Theory]
    [InlineData("plain, ünïcode, 日本語, العربية, 🙂", "plain, ünïcode, 日本語, العربية, 🙂")]
    [InlineData("\u001B[2J\u0007", @"\u001B[2J\u0007")]
    [InlineData("a\u009Bb\u0085c\u007F", @"a\u009Bb\u0085c\u007F")]
    [InlineData("a\r\nb\tc", "a  b c")]
    [InlineData("x\u202Egnp.exe\u2069", @"x\u202Egnp.exe\u2069")]
    [InlineData("a\u2028b\u2029c", @"a\u2028b\u2029c")]
    [InlineData("a\u200Bb\u2060c\uFEFFd\u00ADe\u061Cf\u3164", @"a\u200Bb\u2060c\uFEFFd\u00ADe\u061Cf\u3164")]
    [InlineData("tag\U000E0041", @"tag\uE0041")]
    // Parts of words and emoji.
    [InlineData("می\u200Cخواهم 👩\u200D👩", "می\u200Cخواهم 👩\u200D👩")]
    public void A_line_shows_what_is_there(string text, string shown)
    {
        Assert.Equal(shown, ShownText.Line(text));
        Assert.Equal(shown, ShownText.Line(shown));
    }

    [Fact]
    public void Half_of_a_pair_is_not_shown()
    {
        string half = "half" + '\uD800' + "x";
        Assert.Equal(@"half\uD800x", ShownText.Line(half));
        Assert.Equal(4, ShownText.FindHiddenInName(half)?.Index);
        Assert.Equal("half\uFFFDx", ShownText.WithoutHidden(half));
    }

    [Fact]
    public void Lines_keep_line_feeds_and_tabs() => Assert.Equal("a\n\tb c\\u001B", ShownText.Lines("a\n\tb\rc\u001B"));

    [Theory]
    [InlineData("key", null)]
    [InlineData("a/é 🙂", null)]
    [InlineData("ab\u200Dc", 2)]
    [InlineData("\u202Eab", 0)]
    [InlineData("ab\n", 2)]
    public void A_hidden_character_of_a_name_is_found(string name, int? index) =>
        Assert.Equal(index, ShownText.FindHiddenInName(name)?.Index);

    [Fact]
    public void Without_hidden_is_one_line_and_never_longer_in_bytes()
    {
        for (int value = 0; value <= 0x10FFFF; value++)
        {
            if (!Rune.IsValid(value))
            {
                continue;
            }

            string text = $"a{new Rune(value)}b";
            string without = ShownText.WithoutHidden(text);
            Assert.True(Encoding.UTF8.GetByteCount(without) <= Encoding.UTF8.GetByteCount(text));
            Assert.Null(ShownText.FindHidden(without, allowsLines: false));
            Assert.Null(ShownText.FindHidden(ShownText.Line(text), allowsLines: false));
        }
    }
}
