namespace Ripple.Gms.Store;

/// <summary>Kinds of token changes.</summary>
internal enum AccessTokenChangeKind
{
    /// <summary>The token is created.</summary>
    Create,

    /// <summary>The token is revoked permanently.</summary>
    Revoke,

    /// <summary>The token gets a role in an application, replacing its previous one there.</summary>
    Grant,

    /// <summary>The token's role in an application is withdrawn.</summary>
    Withdraw,
}
