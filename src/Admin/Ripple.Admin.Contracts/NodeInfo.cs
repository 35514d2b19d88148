namespace Ripple.Admin.Contracts;

/// <summary>How far a node is with an application.</summary>
public sealed record NodeInfo
{
    /// <summary>Its id, 32 hexadecimal digits.</summary>
    public required string NodeId { get; init; }

    /// <summary>Its name for people.</summary>
    public required string Name { get; init; }

    /// <summary>Its zone.</summary>
    public required string Zone { get; init; }

    /// <summary>Its incarnation: a new one at each start.</summary>
    public required ulong Incarnation { get; init; }

    /// <summary>Where it stands with its host.</summary>
    public required NodeState State { get; init; }

    /// <summary>The newest release it received, with all before it.</summary>
    public required ulong Received { get; init; }

    /// <summary>The newest it has on disk, with all before it.</summary>
    public required ulong Persisted { get; init; }

    /// <summary>The newest whose state is in effect there.</summary>
    public required ulong Applied { get; init; }

    /// <summary>The newest in effect there, as it told a host itself, over TLS.</summary>
    public required ulong DirectApplied { get; init; }

    /// <summary>The newest it rejected; 0 when none. It may have applied a later one since.</summary>
    public required ulong Rejected { get; init; }

    /// <summary>Why it rejected that one; empty when none.</summary>
    public required string Reason { get; init; }
}
