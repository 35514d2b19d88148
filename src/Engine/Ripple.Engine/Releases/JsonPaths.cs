using System.Globalization;
using System.Text.Json;

namespace Ripple.Engine.Releases;

/// <summary>
/// Collects the configuration paths of a document while it is read: <c>section:array:0:name</c>, as .NET's provider builds them.
/// </summary>
internal sealed class JsonPaths
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
                return reader.TokenType == JsonTokenType.StartArray ? NotAnObject("an array") : null;
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
            return NotAnObject("a single value");
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
