using Ripple.Gms.Endpoint;
using Ripple.Transports.Links;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>The memory for long frames is shared by token.</summary>
public sealed class TokenShareTests
{
    [Fact]
    public void Links_of_one_token_share_a_quarter_and_are_forgotten_with_the_last()
    {
        var shares = new TokenShares(new LinkBudget(64 * 1_024 * 1_024));
        LinkBudget one = shares.Open("one")!;
        Assert.Equal(16 * 1_024 * 1_024, one.BytesMax);
        Assert.Same(one, shares.Open("one"));
        Assert.NotSame(one, shares.Open("two"));
        shares.Close("one");
        Assert.Same(one, shares.Open("one"));
        shares.Close("one");
        shares.Close("one");
        shares.Close("two");
        Assert.Equal(0, shares.Count);
        Assert.Null(new TokenShares(null).Open("one"));
    }
}
