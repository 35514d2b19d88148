namespace Ripple.Admin.Contracts;

/// <summary>An application.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Generation">Its generation, incremented each time the application is created or restored.</param>
/// <param name="Release">Its newest release; 0 before the first.</param>
/// <param name="KeyCount">The number of its keys.</param>
/// <param name="NodeCount">The number of nodes that receive it and are present now.</param>
public sealed record ApplicationInfo(string Name, uint Generation, ulong Release, int KeyCount, int NodeCount);
