using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>How far a node is with an application.</summary>
public sealed class RippleNode
{
    internal RippleNode(string application, NodeInfo info)
    {
        Application = application;
        Name = info.Name;
        Zone = info.Zone;
        State = info.State;
        Received = info.Received;
        Persisted = info.Persisted;
        Applied = info.Applied;
        DirectApplied = info.DirectApplied;
        Rejected = info.Rejected == 0 ? null : info.Rejected;
        Reason = info.Reason;
        NodeId = info.NodeId;
        Incarnation = info.Incarnation;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>Its zone.</summary>
    public string Zone { get; }

    /// <summary>Where it stands with its host.</summary>
    public NodeState State { get; }

    /// <summary>The newest release it received.</summary>
    public ulong Received { get; }

    /// <summary>The newest on its disk.</summary>
    public ulong Persisted { get; }

    /// <summary>The newest in effect there.</summary>
    public ulong Applied { get; }

    /// <summary>The newest in effect there, as it told a host itself.</summary>
    public ulong DirectApplied { get; }

    /// <summary>The newest it rejected; null when none.</summary>
    public ulong? Rejected { get; }

    /// <summary>Why it rejected that one; empty when none.</summary>
    public string Reason { get; }

    /// <summary>Its id, 32 hexadecimal digits.</summary>
    public string NodeId { get; }

    /// <summary>Its incarnation: a new one at each start.</summary>
    public ulong Incarnation { get; }
}
