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

/// <summary>A piece of the manifest of a large body.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">Its digest.</param>
/// <param name="TotalBytes">The length of the whole manifest.</param>
/// <param name="Offset">The offset of these bytes in the manifest.</param>
/// <param name="Bytes">The next bytes of the manifest. The digest computed from the manifest is that of the body.</param>
internal sealed record BodyManifest(
    uint Topic, Digest160 Digest, uint TotalBytes, uint Offset, ReadOnlyMemory<byte> Bytes) : IMessage<BodyManifest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.BodyManifest;

    /// <inheritdoc/>
    public static BodyManifest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        uint totalBytes = reader.ReadU32();
        uint offset = reader.ReadU32();
        ReadOnlyMemory<byte> bytes = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new BodyManifest(topic, digest, totalBytes, offset, bytes);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteU32(TotalBytes);
        writer.WriteU32(Offset);
        writer.WriteBlock32(Bytes.Span);
    }
}

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
