namespace Ripple.Admin.Contracts;

/// <summary>A leaf: a member of a region that its view lacks, and that gets everything over its control connection.</summary>
public sealed record RegionLeafInfo
{
    /// <summary>The node.</summary>
    public required RegionMemberInfo Member { get; init; }

    /// <summary>Why it is a leaf.</summary>
    public required string Reason { get; init; }

    /// <summary>For how long it has been one, in milliseconds.</summary>
    public required double AgeMs { get; init; }

    /// <summary>Whether it has joined again, and waits to be reached by UDP.</summary>
    public required bool IsReturning { get; init; }
}
