using Ripple.Admin.Contracts;

namespace Ripple.Admin.Holders;

/// <summary>The nodes that have a release in effect, and those that do not.</summary>
/// <param name="Application">The application.</param>
/// <param name="Release">The release.</param>
/// <param name="Total">The number of nodes present now.</param>
/// <param name="Holding">The number of those that have it, or a later one, in effect.</param>
/// <param name="Behind">Nodes that have not reached it yet, by name.</param>
/// <param name="Rejected">Nodes that rejected it or a later one and remain at an earlier one, by name, with their reasons.</param>
public sealed record ReleaseHolders(
    string Application, ulong Release, int Total, int Holding, IReadOnlyList<NodeInfo> Behind, IReadOnlyList<NodeInfo> Rejected)
{
    /// <summary>Whether every node has decided: it has the release, or rejected it.</summary>
    public bool IsSettled => Behind.Count == 0;

    /// <summary>Whether every node has it.</summary>
    public bool IsHeldByAll => Behind.Count == 0 && Rejected.Count == 0;
}
