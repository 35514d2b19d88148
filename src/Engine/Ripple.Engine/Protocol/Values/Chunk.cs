using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Values;

/// <summary>A request for consecutive chunks of a large body.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">The digest of the body.</param>
/// <param name="First">The first chunk.</param>
/// <param name="Count">How many.</param>
internal sealed record ChunkRequest(uint Topic, Digest160 Digest, uint First, uint Count) : IMessage<ChunkRequest>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ChunkRequest;

    /// <inheritdoc/>
    public static ChunkRequest Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        uint first = reader.ReadU32();
        uint count = reader.ReadU32();
        return new ChunkRequest(topic, digest, first, count);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteU32(First);
        writer.WriteU32(Count);
    }
}

/// <summary>One chunk of a large body.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Digest">The digest of the body.</param>
/// <param name="Index">The index of the chunk.</param>
/// <param name="Bytes">Its bytes.</param>
internal sealed record Chunk(uint Topic, Digest160 Digest, uint Index, ReadOnlyMemory<byte> Bytes) : IMessage<Chunk>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Chunk;

    /// <inheritdoc/>
    public static Chunk Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        uint index = reader.ReadU32();
        ReadOnlyMemory<byte> bytes = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new Chunk(topic, digest, index, bytes);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteU32(Index);
        writer.WriteBlock32(Bytes.Span);
    }
}
