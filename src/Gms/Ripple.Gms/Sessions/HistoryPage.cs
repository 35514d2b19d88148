using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Sessions;

/// <summary>
/// Encodes headers as the answer to a history call: as many of the newest as fit one frame; the rest follows with the next page request.
/// Pure.
/// </summary>
internal static class HistoryPage
{
    /// <summary>The most characters of an entry's key list: the protocol allows 1,024 bytes, and a character takes at most three.</summary>
    private const int KeysTextCharsMax = 300;

    /// <summary>An entry without its note and keys: numbers, id, actor, lengths.</summary>
    private const int EntryBytes = 128;

    /// <summary>
    /// A page ends while its last entry still fits the frame: a note of 1,024 characters, its keys, and the entry itself.
    /// </summary>
    private const int PageBytesMax = WireLimits.ControlBytesMax - 8_192;

    /// <summary>The most UTF-8 bytes per UTF-16 character.</summary>
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
