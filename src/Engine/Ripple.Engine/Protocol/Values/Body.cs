using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Values;

/// <summary>A small body in one piece.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">Its digest.</param>
/// <param name="Bytes">The body.</param>
internal sealed record Body(uint Topic, Digest160 Digest, ReadOnlyMemory<byte> Bytes) : IMessage<Body>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Body;

    /// <inheritdoc/>
    public static Body Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        ReadOnlyMemory<byte> bytes = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new Body(topic, digest, bytes);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteBlock32(Bytes.Span);
    }
}
