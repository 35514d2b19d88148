using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Headers as an answer to a call for history: as many of the newest as fit one frame; the rest is asked for by the next page. Pure.
/// </summary>
internal static class HistoryPage
{
    /// <summary>The keys of an entry, as text, at most: the protocol allows 1,024 bytes, and a character takes three at most.</summary>
    private const int KeysTextCharsMax = 300;

    /// <summary>An entry besides its note and keys: numbers, id, actor, lengths.</summary>
    private const int EntryBytes = 128;

    /// <summary>
    /// A page ends before its last entry could pass the frame: a note of 1,024 characters, its keys, and the entry itself.
    /// </summary>
    private const int PageBytesMax = WireLimits.ControlBytesMax - 8_192;

    /// <summary>The most bytes of a character in UTF-8, where one of UTF-16 makes it.</summary>
    private const int CharBytesMax = 3;

    public static IReadOnlyList<HistoryEntry> Of(IReadOnlyList<ReleaseHeader> headers)
    {
        var entries = new List<HistoryEntry>();
        int bytes = 0;
        foreach (ReleaseHeader header in headers)
        {
            if (bytes >= PageBytesMax)
            {
                break;
            }

            HistoryEntry entry = Describe(header);
            bytes += EntryBytes + (CharBytesMax * (entry.Note.Length + entry.Keys.Length));
            entries.Add(entry);
        }

        return entries;
    }

    private static HistoryEntry Describe(ReleaseHeader header)
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
}
