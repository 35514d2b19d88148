using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>The progress of a node with an application.</summary>
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

    /// <summary>The node's name.</summary>
    public string Name { get; }

    /// <summary>The node's zone.</summary>
    public string Zone { get; }

    /// <summary>The node's state, as known to its host.</summary>
    public NodeState State { get; }

    /// <summary>The newest release it has received.</summary>
    public ulong Received { get; }

    /// <summary>The newest release on its disk.</summary>
    public ulong Persisted { get; }

    /// <summary>The newest release in effect at the node.</summary>
    public ulong Applied { get; }

    /// <summary>The newest release in effect at the node, as reported directly by the node to a host.</summary>
    public ulong DirectApplied { get; }

    /// <summary>The newest release it rejected; null if none.</summary>
    public ulong? Rejected { get; }

    /// <summary>The reason for that rejection; empty if none.</summary>
    public string Reason { get; }

    /// <summary>The node's id, 32 hexadecimal digits.</summary>
    public string NodeId { get; }

    /// <summary>The node's incarnation, which changes with each start.</summary>
    public ulong Incarnation { get; }
}
