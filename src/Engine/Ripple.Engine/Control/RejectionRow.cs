using Ripple.Engine.Wire;

namespace Ripple.Engine.Control;

/// <summary>A release that a node refused to apply.</summary>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Reason">Why, in at most 512 bytes.</param>
public sealed record RejectionRow(uint Topic, uint Generation, ulong Release, string Reason)
{
    internal static RejectionRow Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        return new RejectionRow(topic, reader.ReadU32(), reader.ReadU64(), reader.ReadText16(512));
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        writer.WriteText16(Reason);
    }
}
