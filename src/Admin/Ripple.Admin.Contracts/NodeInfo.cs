namespace Ripple.Admin.Contracts;

/// <summary>The progress of a node with an application.</summary>
public sealed record NodeInfo
{
    /// <summary>The node's id, 32 hexadecimal digits.</summary>
    public required string NodeId { get; init; }

    /// <summary>The node's display name.</summary>
    public required string Name { get; init; }

    /// <summary>The node's zone.</summary>
    public required string Zone { get; init; }

    /// <summary>The node's incarnation, which changes with each start.</summary>
    public required ulong Incarnation { get; init; }

    /// <summary>The node's state, as known to its host.</summary>
    public required NodeState State { get; init; }

    /// <summary>The newest release it has received, along with all earlier ones.</summary>
    public required ulong Received { get; init; }

    /// <summary>The newest release it has on disk, along with all earlier ones.</summary>
    public required ulong Persisted { get; init; }

    /// <summary>The newest release in effect at the node.</summary>
    public required ulong Applied { get; init; }

    /// <summary>The newest release in effect at the node, as reported directly by the node to a host over TLS.</summary>
    public required ulong DirectApplied { get; init; }

    /// <summary>The newest release it rejected; 0 if none. It may have applied a later one since.</summary>
    public required ulong Rejected { get; init; }

    /// <summary>The reason for that rejection; empty if none.</summary>
    public required string Reason { get; init; }
}
