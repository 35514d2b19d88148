namespace Ripple.Engine.Links;

/// <summary>The kind of certificate whose key the other side of a control link proved to hold.</summary>
internal enum LinkPeerKind
{
    /// <summary>No certificate. Such a connection may enroll, outside the core; the TLS transport never passes it to the core.</summary>
    Anonymous,

    /// <summary>A node's certificate: a client with an engine, a publisher or an administrator.</summary>
    Node,

    /// <summary>A host's certificate.</summary>
    Host,
}
