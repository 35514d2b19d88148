using Ripple.Admin.Contracts;

namespace Ripple.Admin.Following;

/// <summary>The distribution of a release at one moment.</summary>
/// <param name="Application">The application.</param>
/// <param name="Release">The release.</param>
/// <param name="Total">The number of nodes it is meant for; 0 until the host has reported it.</param>
/// <param name="Holding">The number of those that have it.</param>
/// <param name="Laggards">Nodes that have not reached it yet, by name.</param>
/// <param name="Rejections">Nodes that rejected it or a later one and remain at an earlier one, by name, with their reasons.</param>
/// <param name="Result">The final result; null in every snapshot but the last.</param>
public sealed record FollowSnapshot(
    string Application,
    ulong Release,
    int Total,
    int Holding,
    IReadOnlyList<NodeInfo> Laggards,
    IReadOnlyList<NodeInfo> Rejections,
    WaitResult? Result)
{
    /// <summary>The progress from 0 to 100; 100 only if the predicate held, or every node has the release.</summary>
    public int Percent => Result?.Outcome == WaitOutcome.Held ? 100 : Total <= 0 ? 0 : Math.Clamp((int)(100L * Holding / Total), 0, 100);
}
