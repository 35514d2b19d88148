using Ripple.Admin.Contracts;

namespace Ripple.Admin;

/// <summary>Which nodes are asked for. What is null does not matter.</summary>
public sealed record NodeQuery
{
    /// <summary>Nodes whose applied release is before this one; null: whatever they have.</summary>
    public ulong? BehindRelease { get; init; }

    /// <summary>Nodes of this state; null: present and silent ones.</summary>
    public NodeState? State { get; init; }

    /// <summary>Nodes that left or failed as well. Default false.</summary>
    public bool IncludesGone { get; init; }
}
