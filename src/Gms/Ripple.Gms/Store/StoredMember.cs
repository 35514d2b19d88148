using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Store;

/// <summary>
/// A node as a member of an application, over a range of releases: each of them is waited for with this member. What a predicate selects by
/// is kept with it. A node that is a member again, or under another name, is another of these.
/// </summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="Labels">Its labels, by key.</param>
/// <param name="FirstRelease">The first release of the range.</param>
/// <param name="LastRelease">The last; null while it is a member of the next one too.</param>
internal sealed record StoredMember(
    NodeId Node,
    string Name,
    string Zone,
    IReadOnlyList<KeyValuePair<string, string>> Labels,
    ulong FirstRelease,
    ulong? LastRelease)
{
    private const int TextBytesMax = 1 + byte.MaxValue;
    private const int LabelsMax = 32;

    /// <summary>Its name, zone and labels in one block.</summary>
    public byte[] EncodeAbout()
    {
        byte[] block = new byte[(TextBytesMax * (2 + (2 * Labels.Count))) + sizeof(ushort)];
        var writer = new WireWriter(block);
        writer.WriteText8(Name);
        writer.WriteText8(Zone);
        WireParts.WriteLabels(ref writer, Labels);
        return writer.Written.ToArray();
    }

    /// <summary>Reads what <see cref="EncodeAbout"/> wrote.</summary>
    /// <exception cref="StoreException">It cannot be read: the store is damaged.</exception>
    public static StoredMember Decode(NodeId node, ReadOnlySpan<byte> about, ulong firstRelease, ulong? lastRelease)
    {
        var reader = new WireReader(about);
        string name = reader.ReadText8();
        string zone = reader.ReadText8();
        KeyValuePair<string, string>[] labels = WireParts.ReadLabels(ref reader, LabelsMax);
        return reader.End() == DecodeStatus.Ok
            ? new StoredMember(node, name, zone, labels, firstRelease, lastRelease)
            : throw new StoreException($"The member {node} in the store cannot be read. The store is damaged: restore a backup.");
    }

    /// <summary>True if predicates select both alike.</summary>
    public bool IsSame(StoredMember other) =>
        Node == other.Node && Name == other.Name && Zone == other.Zone && Labels.SequenceEqual(other.Labels);

    /// <summary>Null if it can be stored, else the problem.</summary>
    public string? Check() =>
        FirstRelease is 0 or > long.MaxValue || LastRelease is > long.MaxValue
            ? $"The member {Node} begins at release {FirstRelease}. Releases count from 1."
            : Labels.Count > LabelsMax ? $"The member {Node} has {Labels.Count} labels, {LabelsMax} are allowed."
            : null;
}

/// <summary>
/// How the members of an application changed between two of its releases, stored with the later one or before it. Those who left are
/// applied first.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Left">Members that are none any more, each with the last release it is waited for; each is a member in the store. One with
/// the release before its first is waited for with none, and nothing is left of it.</param>
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
