using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

/// <summary>Asks for releases, newest first.</summary>
/// <param name="Call">The call number, chosen by the caller and repeated in the answer.</param>
/// <param name="Application">The application.</param>
/// <param name="Before">Only releases before this one; <see cref="ulong.MaxValue"/> for the newest.</param>
/// <param name="Count">The most releases to return, limited to 1 to 200; the answer may contain fewer.</param>
internal sealed record History(uint Call, string Application, ulong Before, ushort Count) : IMessage<History>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.History;

    /// <inheritdoc/>
    public static History Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        string application = reader.ReadText8();
        ulong before = reader.ReadU64();
        ushort count = reader.ReadU16();
        return new History(call, application, before, count);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteText8(Application);
        writer.WriteU64(Before);
        writer.WriteU16(Count);
    }
}

/// <summary>Releases, newest first.</summary>
/// <param name="Call">The call.</param>
/// <param name="Code">None on success.</param>
/// <param name="Text">On failure, what the caller should do.</param>
/// <param name="Entries">The releases.</param>
internal sealed record HistoryResult(uint Call, ErrorCode Code, string Text, IReadOnlyList<HistoryEntry> Entries) : IMessage<HistoryResult>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.HistoryResult;

    /// <inheritdoc/>
    public static HistoryResult Read(ref WireReader reader)
    {
        uint call = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        string text = reader.ReadText16(4_096);
        var entries = new HistoryEntry[reader.ReadCount16(40, 200)];
        for (int i = 0; i < entries.Length; i++)
        {
            entries[i] = HistoryEntry.Read(ref reader);
        }

        return new HistoryResult(call, code, text, entries);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteU32(Call);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
        writer.WriteU16((ushort)Entries.Count);
        foreach (HistoryEntry entry in Entries)
        {
            entry.Write(ref writer);
        }
    }
}

/// <summary>One release in a history.</summary>
/// <param name="Release">The release.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Id">Its id.</param>
/// <param name="TimeUnixMicros">When the primary ordered it, in microseconds since 1970.</param>
/// <param name="Actor">Who published it.</param>
/// <param name="Note">The publisher's note.</param>
/// <param name="KeyCount">How many keys it changed.</param>
/// <param name="Keys">The first changed keys, separated by line feeds; at most 1,024 bytes.</param>
internal sealed record HistoryEntry(
    ulong Release, uint Generation, Digest160 Id, long TimeUnixMicros, string Actor, string Note, ushort KeyCount, string Keys)
{
    /// <summary>The most characters of the list of keys: the protocol allows 1,024 bytes, and a character takes at most three.</summary>
    private const int KeysTextCharsMax = 300;

    /// <summary>The entry of a release.</summary>
    internal static HistoryEntry Of(ReleaseHeader header)
    {
        string keys = string.Join('\n', header.Changes.Select(c => c.Key));
        if (keys.Length > KeysTextCharsMax)
        {
            int cut = keys.LastIndexOf('\n', KeysTextCharsMax);
            keys = cut > 0 ? keys[..cut] : string.Empty;
        }

        ushort keyCount = (ushort)header.Changes.Length;
        return new HistoryEntry(
            header.Release, header.Generation, header.Id, header.TimeUnixMicros, header.Actor, header.Note, keyCount, keys);
    }

    internal static HistoryEntry Read(ref WireReader reader)
    {
        ulong release = reader.ReadU64();
        uint generation = reader.ReadU32();
        Digest160 id = WireParts.ReadDigest(ref reader);
        long timeUnixMicros = reader.ReadI64();
        string actor = reader.ReadText8();
        string note = reader.ReadText16(4_096);
        ushort keyCount = reader.ReadU16();
        string keys = reader.ReadText16(4_096);
        return new HistoryEntry(release, generation, id, timeUnixMicros, actor, note, keyCount, keys);
    }

    internal void Write(ref WireWriter writer)
    {
        writer.WriteU64(Release);
        writer.WriteU32(Generation);
        WireParts.WriteDigest(ref writer, Id);
        writer.WriteI64(TimeUnixMicros);
        writer.WriteText8(Actor);
        writer.WriteText16(Note);
        writer.WriteU16(KeyCount);
        writer.WriteText16(Keys);
    }
}
