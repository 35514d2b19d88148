namespace Ripple.Admin.Contracts;

/// <summary>A token that was made. Its secret is told here and nowhere else, now and never again.</summary>
/// <param name="Token">The token.</param>
/// <param name="ConnectionString">A connection string with its secret, for the hosts as this host advertises itself.</param>
public sealed record CreatedToken(TokenInfo Token, string ConnectionString)
{
    /// <summary>The token, without the secret.</summary>
    public override string ToString() => $"{Token.TokenId} (secret not shown)";
}
