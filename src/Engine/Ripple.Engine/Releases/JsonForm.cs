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
    public static string? Check(ReadOnlySpan<byte> document) => Check(document, mustBeObject: true);

    /// <summary>
    /// Like <see cref="Check(ReadOnlySpan{byte})"/>, for a document below a section, which may be an array or a single value as well: the
    /// section names it.
    /// </summary>
    internal static string? CheckBelowSection(ReadOnlySpan<byte> document) => Check(document, mustBeObject: false);

    private static string? Check(ReadOnlySpan<byte> document, bool mustBeObject)
    {
        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        ReadOnlySpan<byte> json = document.StartsWith(mark) ? document[mark.Length..] : document;
        if (!Utf8.IsValid(json))
        {
            return "The document is not UTF-8. Save it as UTF-8, with or without a byte order mark.";
        }

        var paths = new JsonPaths(mustBeObject);
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

/// <summary>
/// Collects the configuration paths of a document while it is read: <c>section:array:0:name</c>, as .NET's provider builds them.
/// </summary>
/// <param name="mustBeObject">Whether the root must be an object.</param>
internal sealed class JsonPaths(bool mustBeObject)
{
    private readonly HashSet<string> _taken = new(StringComparer.OrdinalIgnoreCase);
    private readonly Stack<Level> _levels = new();
    private string _property = "";
    private long _pathChars;

    /// <summary>
    /// Null when the token is valid, otherwise the error. Throws <see cref="InvalidOperationException"/> for a string with an invalid
    /// escape.
    /// </summary>
    public string? Take(ref Utf8JsonReader reader)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.PropertyName:
                _property = reader.GetString()!;
                return null;
            case JsonTokenType.StartObject or JsonTokenType.StartArray when _levels.Count == 0:
                _levels.Push(new("", reader.TokenType == JsonTokenType.StartArray));
                return mustBeObject && reader.TokenType == JsonTokenType.StartArray ? NotAnObject("an array") : null;
            case JsonTokenType.StartObject or JsonTokenType.StartArray:
                _levels.Push(new(NextPath(), reader.TokenType == JsonTokenType.StartArray));
                return TooLong();
            case JsonTokenType.EndObject or JsonTokenType.EndArray:
                End(_levels.Pop());
                return null;
            case JsonTokenType.String:
                _ = reader.GetString();
                return Value();
            default:
                return Value();
        }
    }

    private string? Value()
    {
        if (_levels.Count == 0)
        {
            return mustBeObject ? NotAnObject("a single value") : null;
        }

        string path = NextPath();
        return _taken.Add(path) ? TooLong() : $"The path '{path}' has two values; names that differ in case only are one "
            + $"name. Remove one of them.";
    }

    // An empty section counts as a value of its own, but may repeat an existing path.
    private void End(Level level)
    {
        if (level.Count == 0 && _levels.Count > 0)
        {
            _taken.Add(level.Path);
        }
    }

    private string NextPath()
    {
        Level level = _levels.Peek();
        string name = level.IsArray ? level.Count.ToString(CultureInfo.InvariantCulture) : _property;
        level.Count++;
        string path = _levels.Count == 1 ? name : level.Path + ":" + name;
        _pathChars += path.Length;
        return path;
    }

    private string? TooLong() => _pathChars > JsonExpansion.CharsMax
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"The paths of the document have more than {JsonExpansion.CharsMax} characters together. Shorten the names of its sections.")
        : null;

    private static string NotAnObject(string what) => $"The document is {what}. Put it into an object: {{ \"name\": ... }}.";

    private sealed class Level(string path, bool isArray)
    {
        public string Path => path;

        public bool IsArray => isArray;

        public int Count { get; set; }
    }
}
