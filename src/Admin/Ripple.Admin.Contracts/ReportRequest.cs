namespace Ripple.Admin.Contracts;

/// <summary>A report of an external.</summary>
public sealed record ReportRequest
{
    /// <summary>The level, one of the application's own.</summary>
    public required string Level { get; init; }

    /// <summary>The generation of the release; null for the present one.</summary>
    public uint? Generation { get; init; }

    /// <summary>The release that it is about; it says so of all before it.</summary>
    public required ulong Release { get; init; }
}
