namespace Ripple.Gms.Store;

/// <summary>The sizes nothing handed to a store may exceed, and the most it answers at once.</summary>
internal static class StoreLimits
{
    /// <summary>The longest signature block, in bytes.</summary>
    public const int SignatureBytesMax = 1024;

    /// <summary>The longest detail of an audit entry, in characters.</summary>
    public const int AuditDetailCharsMax = 4096;

    /// <summary>The longest actor, action or application of an audit entry, in characters.</summary>
    public const int AuditNameCharsMax = 512;

    /// <summary>The most changes of one batch: releases, applications, audit entries and token changes together.</summary>
    public const int BatchItemsMax = 1024;

    /// <summary>The most rows of history or audit one read returns, whatever was asked for.</summary>
    public const int RowsMax = 1000;

    /// <summary>The most bytes of headers one read of history returns, but for the first.</summary>
    public const int HistoryBytesMax = 4 * 1024 * 1024;
}
