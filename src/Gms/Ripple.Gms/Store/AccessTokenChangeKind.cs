namespace Ripple.Gms.Store;

/// <summary>What happens to a token.</summary>
internal enum AccessTokenChangeKind
{
    /// <summary>It is made.</summary>
    Create,

    /// <summary>It is revoked, for good.</summary>
    Revoke,

    /// <summary>It gets a role in an application, instead of the one it had there.</summary>
    Grant,

    /// <summary>Its role in an application is taken away.</summary>
    Withdraw,
}
