namespace Ripple.Gms.Store;

/// <summary>The roles of access tokens, each including the ones before it. The numbers are persisted in stores.</summary>
internal enum AccessRole
{
    /// <summary>May join as a node and read.</summary>
    Node = 0,

    /// <summary>May also publish.</summary>
    Publisher = 1,

    /// <summary>May also administer.</summary>
    Admin = 2,
}
