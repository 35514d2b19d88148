namespace Ripple.Admin.Contracts;

/// <summary>How far an external has come with a level.</summary>
public sealed record ReportedLevel
{
    /// <summary>The level.</summary>
    public required string Level { get; init; }

    /// <summary>The generation of the release; what was reported of one that ended counts no more.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release that it reported; it says so of all before it.</summary>
    public required ulong Release { get; init; }
}
