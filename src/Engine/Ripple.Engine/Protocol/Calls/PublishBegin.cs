using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Begins a publish; the bodies follow as parts on the same connection.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="PublishId">Identifies the publish: repeating the same id with the same content publishes once.</param>
/// <param name="Expected">The newest release the publisher knows.</param>
/// <param name="Note">Human-readable: what changed and why.</param>
/// <param name="TraceParent">The W3C trace context of the publish; empty for none.</param>
/// <param name="Keys">The keys.</param>
internal sealed record PublishBegin(
    uint Call,
    string Application,
    Guid PublishId,
    ExpectedState Expected,
    string Note,
    string TraceParent,
    IReadOnlyList<PublishKey> Keys) : IMessage<PublishBegin>
{
    /// <summary>The number of an expected release that matches any.</summary>
    public const ulong AnyRelease = ulong.MaxValue;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishBegin;

    /// <inheritdoc/>
    public static PublishBegin Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        Guid publishId = WireParts.ReadGuid(ref reader);
        var expected = ExpectedState.Read(ref reader);
        string note = reader.ReadText16(4_096);
        string traceParent = reader.ReadText8();
        var keys = new PublishKey[reader.ReadCount16(8, 1000)];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = PublishKey.Read(ref reader);
        }

        return new PublishBegin(call, application, publishId, expected, note, traceParent, keys);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        WireParts.WriteGuid(ref writer, PublishId);
        Expected.Write(ref writer);
        writer.WriteText16(Note);
        writer.WriteText8(TraceParent);
        writer.WriteU16((ushort)Keys.Count);
        foreach (PublishKey key in Keys)
        {
            key.Write(ref writer);
        }
    }
}

/// <summary>One key of a publish; the bodies of set keys follow as parts, in this order.</summary>
/// <param name="Key">The key.</param>
/// <param name="IsRemove">True to remove the key.</param>
/// <param name="Length">The length of its value in bytes; 0 for a removal.</param>
internal sealed record PublishKey(string Key, bool IsRemove, uint Length)
{
    internal static PublishKey Read(ref WireReader reader)
    {
        string key = reader.ReadText16(4_096);
        bool isRemove = reader.ReadBool();
        uint length = reader.ReadU32();
        return new PublishKey(key, isRemove, length);
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteText16(Key);
        writer.WriteBool(IsRemove);
        writer.WriteU32(Length);
    }
}

/// <summary>The next bytes of the bodies, which are sent back to back.</summary>
/// <param name="Call">The call number of the publish.</param>
/// <param name="Bytes">The bytes.</param>
internal sealed record PublishPart(uint Call, ReadOnlyMemory<byte> Bytes) : IMessage<PublishPart>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishPart;

    /// <inheritdoc/>
    public static PublishPart Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ReadOnlyMemory<byte> bytes = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new PublishPart(call, bytes);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteBlock32(Bytes.Span);
    }
}

/// <summary>The outcome of a publish or a rollback.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None when it was committed.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The committed release; after a wrong expected release, the newest one.</param>
/// <param name="Id">Its id.</param>
internal sealed record PublishResult(
    uint Call, ErrorCode Code, string Text, uint Generation, ulong Release, Digest160 Id) : IMessage<PublishResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.PublishResult;

    /// <inheritdoc/>
    public static PublishResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        uint generation = reader.ReadU32();
        ulong release = reader.ReadU64();
        Digest160 id = WireParts.ReadDigest(ref reader);
        return new PublishResult(call, code, text, generation, release, id);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU32(Generation);
        writer.WriteU64(Release);
        WireParts.WriteDigest(ref writer, Id);
    }
}
