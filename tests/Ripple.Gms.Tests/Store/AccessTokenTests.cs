using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

public sealed class AccessTokenTests
{
    private const string Shop = "shop";
    private const string Cart = "cart";
    private const string Mail = "mail";

    [Fact]
    public void The_highest_role_is_the_one_that_allows_most_wherever_it_is()
    {
        Assert.Equal(AccessRole.Admin, Token((Shop, AccessRole.Node), (Cart, AccessRole.Admin), (Mail, AccessRole.Publisher)).HighestRole);
        Assert.Equal(AccessRole.Publisher, Token((Shop, AccessRole.Publisher), (Cart, AccessRole.Node)).HighestRole);
        Assert.Equal(AccessRole.Node, Token().HighestRole);
    }

    [Fact]
    public void A_role_allows_itself_and_those_below_in_its_application()
    {
        AccessToken token = Token((Shop, AccessRole.Publisher), (Cart, AccessRole.Node));

        Assert.True(token.Allows(Shop, AccessRole.Node));
        Assert.True(token.Allows(Shop, AccessRole.Publisher));
        Assert.False(token.Allows(Shop, AccessRole.Admin));
        Assert.False(token.Allows(Cart, AccessRole.Publisher));
        Assert.False(token.Allows(Mail, AccessRole.Node));
        Assert.False(token.Allows(AccessTokenGrant.All, AccessRole.Node));
    }

    [Fact]
    public void A_role_in_all_applications_is_one_in_each()
    {
        AccessToken token = Token((AccessTokenGrant.All, AccessRole.Publisher), (Shop, AccessRole.Node), (Cart, AccessRole.Admin));

        Assert.True(token.Allows(Shop, AccessRole.Publisher));
        Assert.True(token.Allows(AccessTokenGrant.All, AccessRole.Publisher));
        Assert.False(token.Allows(AccessTokenGrant.All, AccessRole.Admin));
        Assert.Equal(AccessRole.Publisher, token.RoleIn(Shop));
        Assert.Equal(AccessRole.Admin, token.RoleIn(Cart));
        Assert.Null(Token((Shop, AccessRole.Node)).RoleIn(Cart));
    }

    [Fact]
    public void A_token_is_good_until_it_expires_or_is_revoked()
    {
        AccessToken token = Token((Shop, AccessRole.Node));

        Assert.True(token.IsGood(long.MaxValue));
        Assert.True((token with { ExpiresUnixMicros = 1_000 }).IsGood(999));
        Assert.False((token with { ExpiresUnixMicros = 1_000 }).IsGood(1_000));
        Assert.False((token with { RevokedUnixMicros = 5 }).IsGood(1));
    }

    private static AccessToken Token(params (string Application, AccessRole Role)[] grants) =>
        new("t", new byte[32], [.. grants.Select(g => new AccessTokenGrant(g.Application, g.Role))], 1, null, null);
}
