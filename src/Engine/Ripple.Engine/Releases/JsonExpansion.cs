using System.Text;
using System.Text.Json;

namespace Ripple.Engine.Releases;

/// <summary>
/// Counts the characters of the configuration paths that a value would say, if it is JSON, without making one of them. Nodes spread every
/// value that is JSON, whatever its key is called.
/// </summary>
internal static class JsonExpansion
{
    /// <summary>
    /// The most characters of all paths together: each repeats the names of its sections, so that some hundred kilobytes can say gigabytes.
    /// </summary>
    public const long CharsMax = 64L * 1024 * 1024;

    /// <summary>What a path costs beside its characters, in characters: its object, its value's, and their places in tables.</summary>
    public const int EntryChars = 32;

    /// <summary>True if the value is JSON, and its paths take more than <see cref="CharsMax"/>.</summary>
    public static bool IsTooLong(ReadOnlySpan<byte> value)
    {
        ReadOnlySpan<byte> json = value.StartsWith(Encoding.UTF8.Preamble) ? value[Encoding.UTF8.Preamble.Length..] : value;
        var reader = new Utf8JsonReader(
            json, new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        // The length of the path of each level, and of the property that was read last.
        var paths = new Stack<long>();
        long property = 0;
        long total = 0;
        bool isTooLong = false;
        try
        {
            while (reader.Read())
            {
                switch (reader.TokenType)
                {
                    case JsonTokenType.PropertyName:
                        // At least what comes out of escapes.
                        property = Encoding.UTF8.GetCharCount(reader.ValueSpan);
                        break;
                    case JsonTokenType.StartObject or JsonTokenType.StartArray:
                        long path = paths.Count == 0 ? 0 : paths.Peek() + 1 + property;
                        paths.Push(path);
                        total += path + EntryChars;
                        property = 0;
                        break;
                    case JsonTokenType.EndObject or JsonTokenType.EndArray:
                        paths.Pop();
                        property = 0;
                        break;
                    default:
                        total += paths.Count == 0 ? 0 : paths.Peek() + 1 + property + EntryChars;
                        break;
                }

                // Not the end yet: what is not JSON to its end is a text, and no path.
                isTooLong |= total > CharsMax;
            }

            return isTooLong;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
