using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Looks up a key at a release.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Release">The release; 0 for the newest.</param>
/// <param name="Key">The key.</param>
internal sealed record ReadKey(uint Call, string Application, ulong Release, string Key) : IMessage<ReadKey>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ReadKey;

    /// <inheritdoc/>
    public static ReadKey Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        ulong release = reader.ReadU64();
        string key = reader.ReadText16(4_096);
        return new ReadKey(call, application, release, key);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU64(Release);
        writer.WriteText16(Key);
    }
}

/// <summary>The identity of a value; its body is then requested by digest.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None when the release has the key.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="Topic">The application's number.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The release read.</param>
/// <param name="Digest">The value's digest.</param>
/// <param name="Length">Its length in bytes.</param>
internal sealed record ReadKeyResult(
    uint Call,
    ErrorCode Code,
    string Text,
    uint Topic,
    uint Generation,
    ulong Release,
    Digest160 Digest,
    uint Length) : IMessage<ReadKeyResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.ReadKeyResult;

    /// <inheritdoc/>
    public static ReadKeyResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        uint topic = reader.ReadU32();
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        Digest160 digest = WireParts.ReadDigest(ref reader);
        uint length = reader.ReadU32();
        return new ReadKeyResult(call, code, text, topic, generation, release, digest, length);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU32(Topic);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Digest);
        writer.WriteU32(Length);
    }
}
