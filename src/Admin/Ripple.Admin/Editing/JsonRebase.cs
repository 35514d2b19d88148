using System.Text;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Editing;

/// <summary>Decides whether an edit that was made for one document means the same in a later one.</summary>
internal static class JsonRebase
{
    /// <summary>
    /// What changed and stands in the way; null if nothing does. The place and what is inside it must say the same in both, and so must an
    /// array on the way as a whole, for its indexes are only names of places; what else is on the way must be of the same kind. Objects
    /// that were missing and are there now are no obstacle.
    /// </summary>
    /// <param name="before">The document when the edit began; the edit was made in it.</param>
    /// <param name="now">The document now.</param>
    /// <param name="pointer">The place.</param>
    /// <param name="release">The release of the document now.</param>
    /// <exception cref="JsonEditException">The document now is not JSON.</exception>
    public static KeyEditConflict? Find(ReadOnlySpan<byte> before, ReadOnlySpan<byte> now, JsonPointer pointer, ReleaseNumber release)
    {
        JsonText.CheckDocument(now);
        var old = JsonWalk.Through(before, pointer);
        var present = JsonWalk.Through(now, pointer);
        for (int parts = 0; parts <= pointer.Count; parts++)
        {
            JsonTokenType oldKind = old.KindAt(parts);
            JsonTokenType kind = present.KindAt(parts);
            bool isPlace = parts == pointer.Count;
            bool isSame = isPlace || oldKind == JsonTokenType.StartArray
                ? AreSame(before, old.ValueAt(parts), now, present.ValueAt(parts))
                : oldKind == kind || (oldKind == JsonTokenType.None && kind == JsonTokenType.StartObject);
            if (!isSame)
            {
                return new KeyEditConflict(
                    pointer.Prefix(parts), Text(before, old.ValueAt(parts)), Text(now, present.ValueAt(parts)), release);
            }
        }

        return null;
    }

    private static bool AreSame(ReadOnlySpan<byte> before, JsonSpan? old, ReadOnlySpan<byte> now, JsonSpan? present) =>
        old is { } first && present is { } second
            ? JsonText.AreSame(before[first.Start..first.End], now[second.Start..second.End])
            : old is null && present is null;

    private static string? Text(ReadOnlySpan<byte> document, JsonSpan? span) =>
        span is { } at ? Encoding.UTF8.GetString(document[at.Start..at.End]) : null;
}
