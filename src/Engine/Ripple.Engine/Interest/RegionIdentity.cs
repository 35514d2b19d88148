using System.Security.Cryptography;
using System.Text;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Interest;

/// <summary>
/// The identity of a region: one zone, one application, one declared interest, and an ordinal for when one region cannot hold all
/// members that share these. Every host computes the same identity. Members of different applications never forward, repair or acknowledge
/// for each other (Ripple 4.3). Immutable.
/// </summary>
internal sealed record RegionIdentity
{
    /// <summary>The most applications in one interest. Versions before know 64.</summary>
    public const int InterestMax = 1_024;

    /// <summary>
    /// The most bytes of the names in one interest, each with its length: a join, which says each of them twice, is one control frame.
    /// </summary>
    public const int InterestBytesMax = 32 * 1_024;

    /// <summary>Creates the identity with ordinal 0; the interest is sorted and the node's own application added to it.</summary>
    public RegionIdentity(string zone, string application, IEnumerable<string> interest)
        : this(zone, application, [.. interest.Append(application).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)], 0)
    {
    }

    private RegionIdentity(string zone, string application, IReadOnlyList<string> interest, uint ordinal)
    {
        Zone = zone;
        Application = application;
        Interest = interest;
        Ordinal = ordinal;
        RegionId = Compute();
    }

    /// <summary>The data center.</summary>
    public string Zone { get; }

    /// <summary>The application that its members are processes of.</summary>
    public string Application { get; }

    /// <summary>The applications that its members subscribe to, sorted ordinally.</summary>
    public IReadOnlyList<string> Interest { get; }

    /// <summary>Which of the regions of this zone, application and interest it is: 0, or higher when lower ones are full.</summary>
    public uint Ordinal { get; }

    /// <summary>The region's number in packets.</summary>
    public ulong RegionId { get; }

    /// <summary>The bytes of the names in an interest, each with its length.</summary>
    public static int InterestBytesOf(IEnumerable<string> interest) => interest.Sum(a => 1 + Encoding.UTF8.GetByteCount(a));

    /// <summary>Whether its members subscribe to an application.</summary>
    public bool Takes(string application)
    {
        int low = 0;
        int high = Interest.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            int order = string.CompareOrdinal(Interest[middle], application);
            if (order == 0)
            {
                return true;
            }

            (low, high) = order < 0 ? (middle + 1, high) : (low, middle - 1);
        }

        return false;
    }

    /// <summary>The identity of another region of the same zone, application and interest.</summary>
    public RegionIdentity At(uint ordinal) => new(Zone, Application, Interest, ordinal);

    private ulong Compute()
    {
        byte[] buffer = new byte[(Interest.Count + 4) * 256];
        var writer = new WireWriter(buffer);
        writer.WriteBytes("ripple/region/1"u8);
        writer.WriteText8(Zone);
        writer.WriteText8(Application);
        writer.WriteU16((ushort)Interest.Count);
        foreach (string application in Interest)
        {
            writer.WriteText8(application);
        }

        if (Ordinal > 0)
        {
            // The encoding above is self-delimiting, so that no identity with ordinal 0 has the same bytes.
            writer.WriteU32(Ordinal);
        }

        Span<byte> hash = stackalloc byte[32];
        SHA256.HashData(writer.Written, hash);
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(hash);
    }
}
