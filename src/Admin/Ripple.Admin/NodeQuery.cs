using Ripple.Admin.Contracts;

namespace Ripple.Admin;

/// <summary>Selects nodes. A null property does not restrict.</summary>
public sealed record NodeQuery
{
    /// <summary>Only nodes whose applied release is before this one; null for any.</summary>
    public ulong? BehindRelease { get; init; }

    /// <summary>Only nodes in this state; null for present and silent ones.</summary>
    public NodeState? State { get; init; }

    /// <summary>Whether to include nodes that left or failed. Default false.</summary>
    public bool IncludesGone { get; init; }
}
