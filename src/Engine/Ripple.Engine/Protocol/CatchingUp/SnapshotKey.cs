using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>One key of a snapshot.</summary>
/// <param name="Key">The key.</param>
/// <param name="Digest">The digest of its value.</param>
/// <param name="Length">The length of its value in bytes.</param>
/// <param name="Form">Its form.</param>
internal sealed record SnapshotKey(string Key, Digest160 Digest, uint Length, byte Form)
{
    internal static SnapshotKey Read(ref WireReader reader)
    {
        string key = reader.ReadText16(4_096);
        Digest160 digest = WireParts.ReadDigest(ref reader);
        uint length = reader.ReadU32();
        byte form = reader.ReadU8();
        return new SnapshotKey(key, digest, length, form);
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteText16(Key);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteU32(Length);
        writer.WriteU8(Form);
    }
}
