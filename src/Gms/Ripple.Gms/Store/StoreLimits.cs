namespace Ripple.Gms.Store;

/// <summary>Limits of a store's input, and of its answers.</summary>
internal static class StoreLimits
{
    /// <summary>The longest signature block, in bytes.</summary>
    public const int SignatureBytesMax = 1024;

    /// <summary>The longest detail of an audit entry, in characters.</summary>
    public const int AuditDetailCharsMax = 4096;

    /// <summary>The longest actor, action or application of an audit entry, in characters.</summary>
    public const int AuditNameCharsMax = 512;

    /// <summary>The most changes in one batch: everything but members, together.</summary>
    public const int BatchItemsMax = 1024;

    /// <summary>
    /// The most members of all applications that join or leave in one batch: twice the connections of a host, for all may be replaced.
    /// </summary>
    public const int MemberChangesMax = 65_536;

    /// <summary>
    /// The most revoked nodes whose certificates may be good; one more is refused. A host keeps them in memory, and hundreds of nodes are
    /// revoked by their token.
    /// </summary>
    public const int RevokedNodesMax = 10_000;

    /// <summary>The longest reason for which a node is revoked, in characters.</summary>
    public const int RevokedReasonCharsMax = 512;

    /// <summary>The most rows of history or audit returned by one read, regardless of the request.</summary>
    public const int RowsMax = 1000;

    /// <summary>The most bytes of headers returned by one read of history; the first header is always returned.</summary>
    public const int HistoryBytesMax = 4 * 1024 * 1024;
}
