using Ripple.Engine.Regions;

namespace Ripple.Gms.Frontier;

/// <summary>One incarnation of a joined node, as its host knows it. Immutable.</summary>
/// <param name="Node">The node.</param>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="Name">Its name, for display and predicates.</param>
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
