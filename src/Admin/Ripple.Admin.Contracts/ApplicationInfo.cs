namespace Ripple.Admin.Contracts;

/// <summary>An application.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Generation">Its generation: counts creations and restores.</param>
/// <param name="Release">Its newest release; 0 before the first.</param>
/// <param name="KeyCount">Its keys.</param>
/// <param name="NodeCount">Nodes that want it and are there now.</param>
public sealed record ApplicationInfo(string Name, uint Generation, ulong Release, int KeyCount, int NodeCount);
