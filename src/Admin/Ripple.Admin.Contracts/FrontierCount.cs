namespace Ripple.Admin.Contracts;

/// <summary>How many nodes are at a release.</summary>
/// <param name="Release">The release.</param>
/// <param name="NodeCount">The nodes.</param>
public sealed record FrontierCount(ulong Release, int NodeCount);
