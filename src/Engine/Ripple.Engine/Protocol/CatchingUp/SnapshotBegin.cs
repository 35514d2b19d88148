using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.CatchingUp;

/// <summary>The start of a snapshot of the application's state at one release.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Header">The release's header.</param>
/// <param name="Signature">The signature over its id, or over that of the last <see cref="SnapshotHeader"/> that follows.</param>
/// <param name="Before">Of a past state, as in the request; 0 for the newest.</param>
internal sealed record SnapshotBegin(
    uint Topic, ReadOnlyMemory<byte> Header, ReadOnlyMemory<byte> Signature, ulong Before = 0) : IMessage<SnapshotBegin>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotBegin;

    /// <inheritdoc/>
    public static SnapshotBegin Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> header = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        ReadOnlyMemory<byte> signature = reader.ReadBlock16().ToArray();
        ulong before = reader.ReadU64();
        return new SnapshotBegin(topic, header, signature, before);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Header.Span);
        writer.WriteBlock16(Signature.Span);
        writer.WriteU64(Before);
    }
}

/// <summary>
/// The header after the one before it, on the way from the header of a past state to the one that is signed: of releases that were
/// committed together only the last is.
/// </summary>
/// <param name="Topic">The application.</param>
/// <param name="Header">The header.</param>
internal sealed record SnapshotHeader(uint Topic, ReadOnlyMemory<byte> Header) : IMessage<SnapshotHeader>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotHeader;

    /// <inheritdoc/>
    public static SnapshotHeader Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        ReadOnlyMemory<byte> header = reader.ReadBlock32(WireLimits.ControlBytesMax).ToArray();
        return new SnapshotHeader(topic, header);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteBlock32(Header.Span);
    }
}

/// <summary>A batch of snapshot keys.</summary>
/// <param name="Topic">The application.</param>
/// <param name="Keys">The keys, in order.</param>
internal sealed record SnapshotKeys(uint Topic, IReadOnlyList<SnapshotKey> Keys) : IMessage<SnapshotKeys>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotKeys;

    /// <inheritdoc/>
    public static SnapshotKeys Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        var keys = new SnapshotKey[reader.ReadCount16(27, 2000)];
        for (int i = 0; i < keys.Length; i++)
        {
            keys[i] = SnapshotKey.Read(ref reader);
        }

        return new SnapshotKeys(topic, keys);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU16((ushort)Keys.Count);
        foreach (SnapshotKey key in Keys)
        {
            key.Write(ref writer);
        }
    }
}

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

/// <summary>The end of a snapshot: all its keys have been sent.</summary>
/// <param name="Topic">The application.</param>
/// <param name="KeyCount">How many keys the snapshot has.</param>
internal sealed record SnapshotEnd(uint Topic, uint KeyCount) : IMessage<SnapshotEnd>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SnapshotEnd;

    /// <inheritdoc/>
    public static SnapshotEnd Read(ref WireReader reader)
    {
        uint topic = reader.ReadU32();
        uint keyCount = reader.ReadU32();
        return new SnapshotEnd(topic, keyCount);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Topic);
        writer.WriteU32(KeyCount);
    }
}
