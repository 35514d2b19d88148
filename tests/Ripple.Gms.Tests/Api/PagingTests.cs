using Ripple.Admin.Contracts;
using Ripple.Gms.Api;

namespace Ripple.Gms.Tests.Api;

public sealed class PagingTests
{
    private static readonly string[] All = ["a", "b", "c"];

    [Theory]
    [InlineData(null, 4, "abc", null)]
    [InlineData(null, 3, "abc", null)]
    [InlineData(null, 2, "ab", "b")]
    [InlineData("b", 2, "c", null)]
    [InlineData("aa", 1, "b", "b")]
    [InlineData("c", 1, "", null)]
    public void A_page_says_where_the_next_begins_only_if_there_is_more(string? cursor, int limit, string expected, string? next)
    {
        Page<string> page = Paging.After(All, i => i, cursor, limit, i => i);

        Assert.Equal(expected, string.Concat(page.Items));
        Assert.Equal(next, page.Next);
    }
}
