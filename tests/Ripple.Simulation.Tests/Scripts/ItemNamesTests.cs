using Ripple.Simulator.Scripts;

namespace Ripple.Simulation.Tests.Scripts;

public class ItemNamesTests
{
    [Theory]
    [InlineData("none", "")]
    [InlineData("3", "3")]
    [InlineData("3-5,9", "3,4,5,9")]
    [InlineData("2,10,restore", "2,10,restore")]
    [InlineData("crash-1a2b3c4d", "crash-1a2b3c4d")]
    public void A_set_is_written_as_it_is_read(string text, string names)
    {
        string[] expected = names.Length == 0 ? [] : names.Split(',');
        Assert.Equal(expected, ItemNames.Parse(text));
        Assert.Equal(text, ItemNames.Format(ItemNames.SetOf(expected.Reverse())));
    }

    [Theory]
    [InlineData("")]
    [InlineData("3,,4")]
    [InlineData("5-3")]
    [InlineData("a b")]
    public void What_is_no_set_is_refused(string text) => Assert.Null(ItemNames.Parse(text));
}
