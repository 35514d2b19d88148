namespace Ripple.Engine.Links;

/// <summary>
/// The proven identity of the other side of a control link. Immutable; any thread. On a link, every property is taken from a certificate of
/// the cluster's authority, never from a claim of the other side.
/// </summary>
internal sealed record LinkPeer
{
    /// <summary>A peer that proved nothing.</summary>
    public static LinkPeer Anonymous { get; } = new();

    /// <summary>The kind of its certificate.</summary>
    public LinkPeerKind Kind { get; init; }

    /// <summary>The first eight bytes of the node id, big-endian; 0 unless <see cref="Kind"/> is a node.</summary>
    public ulong NodeIdHigh { get; init; }

    /// <summary>The last eight bytes of the node id, big-endian; 0 unless <see cref="Kind"/> is a node.</summary>
    public ulong NodeIdLow { get; init; }

    /// <summary>The application the node belongs to; empty unless <see cref="Kind"/> is a node.</summary>
    public string Application { get; init; } = "";

    /// <summary><c>node</c>, <c>publisher</c> or <c>admin</c>; empty unless <see cref="Kind"/> is a node.</summary>
    public string Role { get; init; } = "";

    /// <summary>
    /// The id of the token that the node enrolled with, by which it is revoked; empty unless <see cref="Kind"/> is a node.
    /// </summary>
    public string TokenId { get; init; } = "";

    /// <summary>
    /// The host's name, or the name that the node requested at enrollment. For display; only host names are unique in a cluster.
    /// </summary>
    public string Name { get; init; } = "";
}

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
