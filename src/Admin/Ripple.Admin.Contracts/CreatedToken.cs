namespace Ripple.Admin.Contracts;

/// <summary>A newly created token. Its secret is shown only here and cannot be retrieved again.</summary>
/// <param name="Token">The token.</param>
/// <param name="ConnectionString">A connection string that contains the secret, with the host addresses this host advertises.</param>
public sealed record CreatedToken(TokenInfo Token, string ConnectionString)
{
    /// <summary>The token, without the secret.</summary>
    public override string ToString() => $"{Token.TokenId} (secret not shown)";
}
