using System.Globalization;
using System.Text.Json;
using System.Text.Unicode;

namespace Ripple.Engine.Releases;

/// <summary>
/// Whether a document is one that .NET's JSON configuration provider loads, so that a publish that would break every reader is refused
/// before it has a number.
/// </summary>
public static class JsonForm
{
    /// <summary>
    /// Null when the document is accepted, else what is wrong, with line and position (in bytes, from 1). Comments, trailing commas and one
    /// byte order mark of UTF-8 are fine; the root must be an object; nesting goes to 64; two values may not have the same path, without
    /// regard to case, however it is spelled (<c>{"a:b":1,"A":{"B":2}}</c>). Stricter than the provider in two things it passes silently:
    /// bytes that are not UTF-8, and UTF-16.
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
