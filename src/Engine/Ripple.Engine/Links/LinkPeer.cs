namespace Ripple.Engine.Links;

/// <summary>
/// What the transport proved about the other side of a control link. Immutable; any thread. Everything in it comes from a certificate of
/// the cluster's authority, nothing from what the other side merely says.
/// </summary>
internal sealed record LinkPeer
{
    /// <summary>Nothing proved.</summary>
    public static LinkPeer Anonymous { get; } = new();

    /// <summary>What kind of certificate it was.</summary>
    public LinkPeerKind Kind { get; init; }

    /// <summary>The first eight bytes of the node id, big-endian; 0 unless <see cref="Kind"/> is a node.</summary>
    public ulong NodeIdHigh { get; init; }

    /// <summary>The last eight bytes of the node id, big-endian; 0 unless <see cref="Kind"/> is a node.</summary>
    public ulong NodeIdLow { get; init; }

    /// <summary>The application the node belongs to; empty unless <see cref="Kind"/> is a node.</summary>
    public string Application { get; init; } = "";

    /// <summary><c>node</c>, <c>publisher</c> or <c>admin</c>; empty unless <see cref="Kind"/> is a node.</summary>
    public string Role { get; init; } = "";

    /// <summary>The id of the token the node enrolled with, by which it is revoked; empty unless <see cref="Kind"/> is a node.</summary>
    public string TokenId { get; init; } = "";

    /// <summary>
    /// The host's name, or the name the node asked for at enrolment; for people, except that host names are unique in a cluster.
    /// </summary>
    public string Name { get; init; } = "";
}
