namespace Ripple.Engine.Core;

/// <summary>What the other side of a control connection is.</summary>
public enum LinkPeerKind
{
    /// <summary>A host of the cluster.</summary>
    Host,

    /// <summary>A node with a certificate of the cluster's authority.</summary>
    Node,
}
