using System.Globalization;
using System.Text.Json;
using System.Text.Unicode;

namespace Ripple.Engine.Releases;

/// <summary>
/// Checks whether .NET's JSON configuration provider loads a document, so that a publish that would break every reader is refused before it
/// gets a number.
/// </summary>
public static class JsonForm
{
    /// <summary>
    /// Null when the document is accepted; otherwise the error, with line and position (in bytes, from 1). Comments, trailing commas and
    /// one UTF-8 byte order mark are allowed; the root must be an object; nesting is limited to 64; no two values may have the same path,
    /// ignoring case and however the path is spelled (<c>{"a:b":1,"A":{"B":2}}</c>). Stricter than the provider in two cases that it
    /// accepts silently: bytes that are not UTF-8, and UTF-16.
    /// </summary>
    public static string? Check(ReadOnlySpan<byte> document)
    {
        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        ReadOnlySpan<byte> json = document.StartsWith(mark) ? document[mark.Length..] : document;
        if (!Utf8.IsValid(json))
        {
            return "The document is not UTF-8. Save it as UTF-8, with or without a byte order mark.";
        }

        var paths = new JsonPaths();
        var reader = new Utf8JsonReader(
            json, new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        try
        {
            while (reader.Read())
            {
                if (paths.Take(ref reader) is { } wrong)
                {
                    return wrong + At(json, reader.TokenStartIndex);
                }
            }

            return null;
        }
        catch (JsonException e)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"The document is not JSON: {Reason(e)} (line {e.LineNumber + 1}, position {e.BytePositionInLine + 1})");
        }
        catch (InvalidOperationException)
        {
            return "A text has an escape that is half of a surrogate pair." + At(json, reader.TokenStartIndex);
        }
    }

    private static string Reason(JsonException e)
    {
        int end = e.Message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return end < 0 ? e.Message : e.Message[..end];
    }

    private static string At(ReadOnlySpan<byte> json, long index)
    {
        ReadOnlySpan<byte> before = json[..(int)index];
        return string.Create(
            CultureInfo.InvariantCulture,
            $" (line {before.Count((byte)'\n') + 1}, position {before.Length - before.LastIndexOf((byte)'\n')})");
    }
}
