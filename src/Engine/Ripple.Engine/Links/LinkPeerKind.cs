namespace Ripple.Engine.Links;

/// <summary>What kind of certificate the other side of a control link proved to hold the key of.</summary>
internal enum LinkPeerKind
{
    /// <summary>None. Such a connection may enrol, outside the core; it is never handed to the core by the TLS transport.</summary>
    Anonymous,

    /// <summary>A node's: a client with an engine, a publisher or an administrator.</summary>
    Node,

    /// <summary>A host's.</summary>
    Host,
}
