using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Values;

/// <summary>A request for the body with this digest.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">The digest.</param>
internal sealed record BodyRequest(uint Topic, Digest160 Digest) : IMessage<BodyRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.BodyRequest;

    /// <inheritdoc/>
    public static BodyRequest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        return new BodyRequest(topic, digest);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
    }
}
