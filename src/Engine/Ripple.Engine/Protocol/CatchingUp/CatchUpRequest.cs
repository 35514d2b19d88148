using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>A node's request to be brought to the newest release.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Generation">The generation the node holds; 0 when it holds nothing.</param>
/// <param name="Release">The newest release of its chain.</param>
/// <param name="Id">That release's id.</param>
internal sealed record CatchUpRequest(uint Topic, uint Generation, ulong Release, Digest160 Id) : IMessage<CatchUpRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.CatchUpRequest;

    /// <inheritdoc/>
    public static CatchUpRequest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        Digest160 id = WireParts.ReadDigest(ref reader);
        return new CatchUpRequest(topic, generation, release, id);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
    }
}
