using Ripple.Engine.Regions;

namespace Ripple.Gms.Frontier;

/// <summary>One joined node as its host knows it: an incarnation of it. Immutable.</summary>
/// <param name="Node">The node.</param>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="Name">Its name, for people and predicates.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="Application">Its own application.</param>
/// <param name="Labels">Its labels, by key.</param>
/// <param name="TokenId">The token it enrolled with.</param>
internal sealed record MemberRecord(
    NodeId Node,
    ulong Incarnation,
    string Name,
    string Zone,
    string Application,
    IReadOnlyList<KeyValuePair<string, string>> Labels,
    string TokenId);
