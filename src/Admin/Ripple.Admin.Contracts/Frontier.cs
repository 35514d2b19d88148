namespace Ripple.Admin.Contracts;

/// <summary>The progress of an application's nodes, as counts.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">Its newest release.</param>
/// <param name="NodeCount">The number of nodes present now.</param>
/// <param name="SilentCount">The number of those that are silent.</param>
/// <param name="Received">The number of nodes at each release, by newest received; newest release first.</param>
/// <param name="Persisted">The same, by newest persisted.</param>
/// <param name="Applied">The same, by newest applied.</param>
/// <param name="RejectedCount">The number of nodes that rejected the newest release.</param>
public sealed record Frontier(
    string Application,
    uint Generation,
    ulong Release,
    int NodeCount,
    int SilentCount,
    IReadOnlyList<FrontierCount> Received,
    IReadOnlyList<FrontierCount> Persisted,
    IReadOnlyList<FrontierCount> Applied,
    int RejectedCount);
