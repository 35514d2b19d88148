namespace Ripple.Gms.Store;

/// <summary>What a join token is good for. The values are in every store.</summary>
internal enum AccessRole
{
    /// <summary>To join as a node and read.</summary>
    Node = 0,

    /// <summary>To read and publish as well.</summary>
    Publisher = 1,

    /// <summary>To administer as well.</summary>
    Admin = 2,
}
