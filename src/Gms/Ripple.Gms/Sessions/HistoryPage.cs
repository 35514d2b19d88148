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

            HistoryEntry entry = HistoryEntry.Of(header);
            bytes += EntryBytes + (CharBytesMax * (entry.Note.Length + entry.Keys.Length));
            entries.Add(entry);
        }

        return entries;
    }
}
