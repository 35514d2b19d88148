using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Calls;

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
