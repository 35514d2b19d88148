using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Values;

/// <summary>The host has no such body.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">The digest.</param>
internal sealed record BodyMissing(uint Topic, Digest160 Digest) : IMessage<BodyMissing>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.BodyMissing;

    /// <inheritdoc/>
    public static BodyMissing Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        return new BodyMissing(topic, digest);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
    }
}
