using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>How far one member of an application is.</summary>
public sealed record MemberStatus
{
    /// <summary>The node.</summary>
    public required NodeId Node { get; init; }

    /// <summary>Its incarnation: a restart has another one.</summary>
    public ulong Incarnation { get; init; }

    /// <summary>Its name.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Its zone.</summary>
    public string Zone { get; init; } = string.Empty;

    /// <summary>Whether it is there.</summary>
    public MemberState State { get; init; }

    /// <summary>The newest release it received.</summary>
    public ulong Received { get; init; }

    /// <summary>The newest it has on disk.</summary>
    public ulong Persisted { get; init; }

    /// <summary>The newest in effect at it, as its region says.</summary>
    public ulong Applied { get; init; }

    /// <summary>The newest in effect at it, as it told a host itself.</summary>
    public ulong DirectApplied { get; init; }

    /// <summary>The newest it rejected; 0 for none.</summary>
    public ulong Rejected { get; init; }

    /// <summary>Why it rejected it.</summary>
    public string Reason { get; init; } = string.Empty;
}
