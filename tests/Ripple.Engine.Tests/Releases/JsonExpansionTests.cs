using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>Which values would say more configuration paths than a process should hold, counted without making one.</summary>
public sealed class JsonExpansionTests
{
    [Theory]
    [InlineData("""{ "a": { "b": [1, 2, { "c": null }] } }""")]
    [InlineData("[]")]
    [InlineData("5")]
    [InlineData("")]
    [InlineData("text, and no { JSON")]
    [InlineData("{ \"a\": [1, 2")]
    public void What_is_ordinary_or_no_JSON_is_not_too_long(string value) =>
        Assert.False(JsonExpansion.IsTooLong(Encoding.UTF8.GetBytes(value)));

    [Fact]
    public void A_long_name_above_many_values_is_too_long_and_costs_nothing_to_find()
    {
        byte[] bomb = Nested(60_000, 60_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.True(JsonExpansion.IsTooLong(bomb));
        Assert.True(JsonExpansion.IsTooLong([.. Encoding.UTF8.Preamble, .. bomb]));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000 + bomb.Length + 3);
        // Not JSON to its end: nodes take it for a text.
        Assert.False(JsonExpansion.IsTooLong(bomb.AsSpan(0, bomb.Length - 1)));
    }

    [Theory]
    [InlineData(-8, false)]
    [InlineData(8, true)]
    public void The_bound_is_kept_to_the_value(int more, bool isTooLong)
    {
        const int NameChars = 1_000;
        // The section and the array, then each value: the section's name, a colon and what a path costs.
        const int ValueChars = NameChars + 2 + JsonExpansion.EntryChars;
        long values = (JsonExpansion.CharsMax - NameChars - 1 - (2 * JsonExpansion.EntryChars)) / ValueChars;
        Assert.Equal(isTooLong, JsonExpansion.IsTooLong(Nested(NameChars, (int)values + more)));
    }

    [Fact]
    public void Many_values_with_short_names_count_what_they_cost() =>
        Assert.True(JsonExpansion.IsTooLong(Nested(1, 2_000_000)));

    private static byte[] Nested(int nameChars, int values) =>
        Encoding.UTF8.GetBytes($$"""{"{{new string('n', nameChars)}}":[{{string.Join(',', Enumerable.Repeat('1', values))}}]}""");
}
