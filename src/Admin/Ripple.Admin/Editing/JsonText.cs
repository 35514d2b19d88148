using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;

namespace Ripple.Admin.Editing;

/// <summary>JSON as .NET's configuration provider reads it: with comments, trailing commas and one byte order mark.</summary>
internal static class JsonText
{
    /// <summary>How deep a document may be.</summary>
    public const int DepthMax = 64;

    /// <summary>How a document is read.</summary>
    public static readonly JsonReaderOptions Lenient = new()
    {
        CommentHandling = JsonCommentHandling.Skip,
        AllowTrailingCommas = true,
        MaxDepth = DepthMax,
    };

    /// <summary>How a value is read: a comment at its end could swallow what follows it in the document.</summary>
    private static readonly JsonReaderOptions Strict = new() { MaxDepth = DepthMax };

    /// <summary>The bytes of a byte order mark at the beginning: 3 or 0.</summary>
    public static int MarkBytes(ReadOnlySpan<byte> document) => document.StartsWith((ReadOnlySpan<byte>)[0xEF, 0xBB, 0xBF]) ? 3 : 0;

    /// <summary>Checks that a document is UTF-8 and JSON.</summary>
    /// <exception cref="JsonEditException">It is not; with the place.</exception>
    public static void CheckDocument(ReadOnlySpan<byte> document)
    {
        int mark = MarkBytes(document);
        if (FindInvalid(document[mark..]) is { } invalid)
        {
            throw JsonEditException.At(document, mark + invalid, "The document is not UTF-8", "Publish it anew as UTF-8.");
        }

        var reader = new Utf8JsonReader(document[mark..], Lenient);
        try
        {
            while (reader.Read())
            {
                if (reader.TokenType is JsonTokenType.String or JsonTokenType.PropertyName && reader.ValueIsEscaped)
                {
                    _ = reader.GetString();
                }
            }
        }
        catch (JsonException e)
        {
            throw JsonEditException.At(
                document, mark + IndexOf(document[mark..], e), $"The document is not JSON: {Reason(e)}", "Publish it anew as JSON.");
        }
        catch (InvalidOperationException)
        {
            throw JsonEditException.At(
                document,
                mark + (int)reader.TokenStartIndex,
                "A text has an escape that is half of a surrogate pair",
                "Publish the document anew without it.");
        }
    }

    /// <summary>Checks a value that is to be put into a document, and returns its depth: 0 for a scalar.</summary>
    /// <exception cref="FormatException">It is not JSON, or has a name twice; names that differ by case only are one name.</exception>
    public static int CheckValue(ReadOnlySpan<byte> value)
    {
        var reader = new Utf8JsonReader(value, Strict);
        var names = new Stack<HashSet<string>>();
        int depth = 0;
        try
        {
            while (reader.Read())
            {
                bool isStart = reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray;
                depth = Math.Max(depth, reader.CurrentDepth + (isStart ? 1 : 0));
                switch (reader.TokenType)
                {
                    case JsonTokenType.StartObject:
                        names.Push(new HashSet<string>(StringComparer.OrdinalIgnoreCase));
                        break;
                    case JsonTokenType.EndObject:
                        names.Pop();
                        break;
                    case JsonTokenType.PropertyName when !names.Peek().Add(reader.GetString()!):
                        throw new FormatException(
                            $"The value has the name '{reader.GetString()}' twice{PlaceOf(value, (int)reader.TokenStartIndex)}; names that "
                                + $"differ by case only are one name for .NET configuration. Leave one of them out.");
                    case JsonTokenType.String:
                        _ = reader.GetString();
                        break;
                    default:
                        break;
                }
            }
        }
        catch (JsonException e)
        {
            throw new FormatException(
                $"The value is not JSON: {Reason(e)}{PlaceOf(value, IndexOf(value, e))}. Write a text with its quotation marks, such as "
                    + $"\"eu-1\", or set it as text.",
                e);
        }
        catch (InvalidOperationException e)
        {
            throw new FormatException(
                $"The value has an escape that is half of a surrogate pair{PlaceOf(value, (int)reader.TokenStartIndex)}. Leave it out.", e);
        }

        return depth;
    }

    /// <summary>Whether two pieces of JSON say the same: spaces, comments and how texts are escaped do not count; digits do.</summary>
    public static bool AreSame(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other)
    {
        var first = new Utf8JsonReader(one, Lenient);
        var second = new Utf8JsonReader(other, Lenient);
        while (first.Read())
        {
            if (!second.Read() || first.TokenType != second.TokenType)
            {
                return false;
            }

            bool isSame = first.TokenType is JsonTokenType.String or JsonTokenType.PropertyName
                ? first.GetString() == second.GetString()
                : first.ValueSpan.SequenceEqual(second.ValueSpan);
            if (!isSame)
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>A text as JSON, with its quotation marks; only what must be escaped is.</summary>
    public static string Quote(string text) => $"\"{JsonEncodedText.Encode(text, JavaScriptEncoder.UnsafeRelaxedJsonEscaping)}\"";

    /// <summary>Whether a text cannot be written as UTF-8.</summary>
    public static bool HasHalfSurrogate(string text)
    {
        ReadOnlySpan<char> rest = text;
        while (!rest.IsEmpty)
        {
            if (Rune.DecodeFromUtf16(rest, out _, out int read) != System.Buffers.OperationStatus.Done)
            {
                return true;
            }

            rest = rest[read..];
        }

        return false;
    }

    /// <summary>A place as people count it: lines from 1, and characters of the line from 1. A byte order mark is none.</summary>
    public static (int Line, int Column) Place(ReadOnlySpan<byte> text, int index)
    {
        int mark = MarkBytes(text);
        ReadOnlySpan<byte> before = text[mark..Math.Clamp(index, mark, text.Length)];
        ReadOnlySpan<byte> line = before[(before.LastIndexOf((byte)'\n') + 1)..];
        // Continuation bytes of UTF-8 begin no character.
        int column = 1;
        foreach (byte b in line)
        {
            column += (b & 0xC0) == 0x80 ? 0 : 1;
        }

        return (before.Count((byte)'\n') + 1, column);
    }

    private static string PlaceOf(ReadOnlySpan<byte> text, int index)
    {
        (int line, int column) = Place(text, index);
        return string.Create(CultureInfo.InvariantCulture, $" (line {line}, column {column})");
    }

    private static int? FindInvalid(ReadOnlySpan<byte> text)
    {
        if (Utf8.IsValid(text))
        {
            return null;
        }

        int index = 0;
        while (Rune.DecodeFromUtf8(text[index..], out _, out int read) == System.Buffers.OperationStatus.Done)
        {
            index += read;
        }

        return index;
    }

    private static int IndexOf(ReadOnlySpan<byte> text, JsonException e)
    {
        int index = 0;
        for (long line = e.LineNumber ?? 0; line > 0; line--)
        {
            index += text[index..].IndexOf((byte)'\n') + 1;
        }

        return (int)Math.Min(text.Length, index + (e.BytePositionInLine ?? 0));
    }

    private static string Reason(JsonException e)
    {
        int end = e.Message.IndexOf(" LineNumber:", StringComparison.Ordinal);
        return (end < 0 ? e.Message : e.Message[..end]).TrimEnd('.');
    }
}
