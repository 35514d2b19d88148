using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>The progress of one member of an application.</summary>
public sealed record MemberStatus
{
    /// <summary>The node.</summary>
    public required NodeId Node { get; init; }

    /// <summary>The node's incarnation, which changes with each restart.</summary>
    public ulong Incarnation { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Its zone.</summary>
    public string Zone { get; init; } = string.Empty;

    /// <summary>Whether the member is present.</summary>
    public MemberState State { get; init; }

    /// <summary>The newest release it has received.</summary>
    public ulong Received { get; init; }

    /// <summary>The newest release it has on disk.</summary>
    public ulong Persisted { get; init; }

    /// <summary>The newest release in effect at the member, as reported by its region.</summary>
    public ulong Applied { get; init; }

    /// <summary>The newest release in effect at the member, as reported by the member directly to a host.</summary>
    public ulong DirectApplied { get; init; }

    /// <summary>The newest release it rejected; 0 for none.</summary>
    public ulong Rejected { get; init; }

    /// <summary>The reason for the rejection.</summary>
    public string Reason { get; init; } = string.Empty;
}
