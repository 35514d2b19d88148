using System.Security.Cryptography;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Interest;

/// <summary>
/// What makes a region: one zone, one own application, one declared interest. Nodes that agree on all three are in one region, whichever host
/// computes it; members of different applications never forward, repair or acknowledge for each other (Ripple 4.3).
/// </summary>
public sealed record RegionIdentity
{
    /// <summary>The most applications in one interest.</summary>
    public const int InterestMax = 64;

    /// <summary>Makes an identity; the interest is sorted and the node's own application added to it.</summary>
    public RegionIdentity(string zone, string application, IEnumerable<string> interest)
    {
        Zone = zone;
        Application = application;
        Interest = [.. interest.Append(application).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        RegionId = Compute();
    }

    /// <summary>The data centre.</summary>
    public string Zone { get; }

    /// <summary>The application its members are processes of.</summary>
    public string Application { get; }

    /// <summary>The applications its members want, sorted by ordinal.</summary>
    public IReadOnlyList<string> Interest { get; }

    /// <summary>The region's number in packets.</summary>
    public ulong RegionId { get; }

    private ulong Compute()
    {
        byte[] buffer = new byte[(InterestMax + 4) * 256];
        var writer = new WireWriter(buffer);
        writer.WriteBytes("ripple/region/1"u8);
        writer.WriteText8(Zone);
        writer.WriteText8(Application);
        writer.WriteU16((ushort)Interest.Count);
        foreach (string application in Interest)
        {
            writer.WriteText8(application);
        }

        Span<byte> hash = stackalloc byte[32];
        SHA256.HashData(writer.Written, hash);
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt64LittleEndian(hash);
    }
}
