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

    /// <summary>The most changes in one batch: applications, generations, releases, audit entries and token changes together.</summary>
    public const int BatchItemsMax = 1024;

    /// <summary>The most rows of history or audit returned by one read, regardless of the request.</summary>
    public const int RowsMax = 1000;

    /// <summary>The most bytes of headers returned by one read of history; the first header is always returned.</summary>
    public const int HistoryBytesMax = 4 * 1024 * 1024;
}
