using Ripple.Engine.Regions;

namespace Ripple.Gms.Store;

/// <summary>
/// How the members of an application changed between two of its releases, stored with the later one. Those who left are applied first.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Left">Members that are none any more, each with the last release it is waited for; each is a member in the store.</param>
/// <param name="Joined">New members, without a last release; none is a member in the store.</param>
/// <param name="KnownFrom">Forgets the members of all releases before this one; 0 to forget nobody. Only grows.</param>
internal sealed record MembershipChange(
    uint Topic, IReadOnlyList<(NodeId Node, ulong LastRelease)> Left, IReadOnlyList<StoredMember> Joined, ulong KnownFrom)
{
    /// <summary>Approximate memory of a member, with a name, a zone and some labels.</summary>
    public const int MemberBytes = 512;

    /// <summary>Approximate bytes it occupies in a store's queue.</summary>
    public long QueuedBytes => 256 + (64L * Left.Count) + ((long)MemberBytes * Joined.Count);
}
