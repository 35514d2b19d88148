namespace Ripple.Admin.Contracts;

/// <summary>Who has what of an application, counted.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">Its newest release.</param>
/// <param name="NodeCount">Nodes that are there now.</param>
/// <param name="SilentCount">Of them, silent ones.</param>
/// <param name="Received">How many are at which release, received; the newest release first.</param>
/// <param name="Persisted">The same, persisted.</param>
/// <param name="Applied">The same, applied.</param>
/// <param name="RejectedCount">Nodes that rejected the newest release.</param>
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
