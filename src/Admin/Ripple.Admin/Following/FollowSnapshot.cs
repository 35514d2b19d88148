using Ripple.Admin.Contracts;

namespace Ripple.Admin.Following;

/// <summary>Who has a release, at one moment.</summary>
/// <param name="Application">The application.</param>
/// <param name="Release">The release.</param>
/// <param name="Total">Nodes it is meant for; 0 until the host said so.</param>
/// <param name="Holding">Of them, those that have it.</param>
/// <param name="Laggards">Nodes that are on their way to it, by name.</param>
/// <param name="Rejections">Nodes that rejected it, or a later one, and stay at an earlier one; by name, with their reasons.</param>
/// <param name="Result">How it ended; null in every snapshot but the last.</param>
public sealed record FollowSnapshot(
    string Application,
    ulong Release,
    int Total,
    int Holding,
    IReadOnlyList<NodeInfo> Laggards,
    IReadOnlyList<NodeInfo> Rejections,
    WaitResult? Result)
{
    /// <summary>How much of it is done: 0 to 100; 100 only when it held, or every node has it.</summary>
    public int Percent => Result?.Outcome == WaitOutcome.Held ? 100 : Total <= 0 ? 0 : Math.Clamp((int)(100L * Holding / Total), 0, 100);
}
