using Ripple.Admin.Contracts;

namespace Ripple.Admin.Holders;

/// <summary>Who has a release in effect, and who does not.</summary>
/// <param name="Application">The application.</param>
/// <param name="Release">The release.</param>
/// <param name="Total">Nodes that are there now.</param>
/// <param name="Holding">Of them, those that have it, or a later one, in effect.</param>
/// <param name="Behind">Those that are on their way, by name.</param>
/// <param name="Rejected">Those that rejected it, or a later one, and stay at an earlier one; by name, with their reasons.</param>
public sealed record ReleaseHolders(
    string Application, ulong Release, int Total, int Holding, IReadOnlyList<NodeInfo> Behind, IReadOnlyList<NodeInfo> Rejected)
{
    /// <summary>True when every node has answered: it has the release, or rejected it.</summary>
    public bool IsSettled => Behind.Count == 0;

    /// <summary>True when every node has it.</summary>
    public bool IsHeldByAll => Behind.Count == 0 && Rejected.Count == 0;
}
