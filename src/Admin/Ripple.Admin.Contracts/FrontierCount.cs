namespace Ripple.Admin.Contracts;

/// <summary>The number of nodes at a release.</summary>
/// <param name="Release">The release.</param>
/// <param name="NodeCount">The number of nodes.</param>
public sealed record FrontierCount(ulong Release, int NodeCount);
