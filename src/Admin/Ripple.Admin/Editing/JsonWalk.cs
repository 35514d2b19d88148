using System.Text.Json;

namespace Ripple.Admin.Editing;

/// <summary>A piece of a document, in bytes.</summary>
/// <param name="Start">Its first byte.</param>
/// <param name="End">The byte behind it.</param>
internal readonly record struct JsonSpan(int Start, int End);

/// <summary>A member of an object, or an element of an array.</summary>
/// <param name="Start">The first byte: of the name, or of the value in an array.</param>
/// <param name="NameEnd">The byte behind the name; <paramref name="Start"/> in an array.</param>
/// <param name="Value">The value.</param>
/// <param name="Kind">The first token of the value.</param>
/// <param name="PreviousEnd">The byte behind the value before it, or behind the opening bracket.</param>
internal sealed record JsonItem(int Start, int NameEnd, JsonSpan Value, JsonTokenType Kind, int PreviousEnd)
{
    /// <summary>The first byte of the next item, or the closing bracket.</summary>
    public int NextStart { get; set; }
}

/// <summary>An object or an array on the way of a pointer.</summary>
internal sealed class JsonContainer
{
    /// <summary>Whether it is an array.</summary>
    public required bool IsArray { get; init; }

    /// <summary>The opening bracket.</summary>
    public required int Open { get; init; }

    /// <summary>The closing bracket.</summary>
    public int Close { get; set; }

    /// <summary>The number of items.</summary>
    public int Count { get; set; }

    /// <summary>The first item; null if there is none.</summary>
    public JsonItem? First { get; set; }

    /// <summary>The last item; null if there is none.</summary>
    public JsonItem? Last { get; set; }

    /// <summary>The item that the pointer names; null if there is none.</summary>
    public JsonItem? Match { get; set; }

    /// <summary>The name of another case, or the second of two that are one name for .NET configuration; null if there is none.</summary>
    public JsonSpan? Rival { get; set; }
}

/// <summary>How a pointer's way through a document ends.</summary>
internal enum JsonStop
{
    /// <summary>At a value.</summary>
    Found,

    /// <summary>At an object without that member.</summary>
    Missing,

    /// <summary>Behind the last element of an array.</summary>
    Append,

    /// <summary>At an array that is shorter.</summary>
    BeyondEnd,

    /// <summary>At an array, with a part that is no index.</summary>
    NotIndex,

    /// <summary>At a value that has no parts, with parts of the pointer left.</summary>
    Scalar,

    /// <summary>At an object that has the name twice, but for case.</summary>
    Duplicate,

    /// <summary>At an object that has the name in another case.</summary>
    OtherCase,
}

/// <summary>
/// Follows a pointer through a document and keeps where everything on the way is. The document was checked before; its shape may be any.
/// </summary>
internal sealed class JsonWalk
{
    private readonly JsonPointer _pointer;
    private readonly int _mark;

    private JsonWalk(JsonPointer pointer, int mark) => (_pointer, _mark) = (pointer, mark);

    /// <summary>The containers on the way, from the root.</summary>
    public List<JsonContainer> Way { get; } = [];

    /// <summary>The value of the document.</summary>
    public JsonSpan Root { get; private set; }

    /// <summary>The first token of the document's value.</summary>
    public JsonTokenType RootKind { get; private set; }

    /// <summary>How the way ends.</summary>
    public JsonStop Stop { get; private set; }

    /// <summary>The place in <see cref="Way"/> of the container where it ends; -1 if there is none.</summary>
    public int StopLevel { get; private set; }

    public static JsonWalk Through(ReadOnlySpan<byte> document, JsonPointer pointer)
    {
        int mark = JsonText.MarkBytes(document);
        var walk = new JsonWalk(pointer, mark);
        var reader = new Utf8JsonReader(document[mark..], JsonText.Lenient);
        reader.Read();
        int start = mark + (int)reader.TokenStartIndex;
        walk.RootKind = reader.TokenType;
        walk.ReadValue(ref reader, isOnWay: true, 0);
        walk.Root = new JsonSpan(start, mark + (int)reader.BytesConsumed);
        walk.Stop = walk.Judge();
        return walk;
    }

    /// <summary>Where the value is that the first parts of the pointer lead to; null if there is none.</summary>
    public JsonSpan? ValueAt(int count) =>
        count == 0 ? Root : count <= Way.Count && Way[count - 1].Match is { } match ? match.Value : null;

    /// <summary>The first token of that value; <see cref="JsonTokenType.None"/> if there is none.</summary>
    public JsonTokenType KindAt(int count) =>
        count == 0 ? RootKind : count <= Way.Count && Way[count - 1].Match is { } match ? match.Kind : JsonTokenType.None;

    private JsonStop Judge()
    {
        StopLevel = -1;
        for (int level = 0; level < Way.Count; level++)
        {
            StopLevel = level;
            JsonContainer container = Way[level];
            if (container.Rival is not null)
            {
                return container.Match is null ? JsonStop.OtherCase : JsonStop.Duplicate;
            }

            if (container.Match is null)
            {
                return !container.IsArray ? JsonStop.Missing
                    : _pointer.IsAppendAt(level) ? JsonStop.Append
                    : _pointer.IndexAt(level) is null ? JsonStop.NotIndex
                    : JsonStop.BeyondEnd;
            }
        }

        return Way.Count == _pointer.Count ? JsonStop.Found : JsonStop.Scalar;
    }

    /// <summary>Reads on to the end of a value whose first token was read.</summary>
    private void ReadValue(ref Utf8JsonReader reader, bool isOnWay, int level)
    {
        if (isOnWay && level < _pointer.Count && reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
        {
            ReadContainer(ref reader, level);
        }
        else
        {
            reader.Skip();
        }
    }

    /// <remarks>As deep as the pointer is long, which has a bound.</remarks>
    private void ReadContainer(ref Utf8JsonReader reader, int level)
    {
        var container = new JsonContainer
        {
            IsArray = reader.TokenType == JsonTokenType.StartArray,
            Open = _mark + (int)reader.TokenStartIndex,
        };
        Way.Add(container);
        int wanted = container.IsArray ? _pointer.IndexAt(level) ?? -1 : -1;
        while (reader.Read() && reader.TokenType is not (JsonTokenType.EndObject or JsonTokenType.EndArray))
        {
            int start = _mark + (int)reader.TokenStartIndex;
            int nameEnd = start;
            bool isMatch = container.Count == wanted;
            if (!container.IsArray)
            {
                nameEnd += reader.ValueSpan.Length + 2;
                isMatch = IsNamed(ref reader, container, level, new JsonSpan(start, nameEnd));
                reader.Read();
            }

            int valueStart = _mark + (int)reader.TokenStartIndex;
            JsonTokenType kind = reader.TokenType;
            ReadValue(ref reader, isMatch, level + 1);
            var item = new JsonItem(
                start,
                nameEnd,
                new JsonSpan(valueStart, _mark + (int)reader.BytesConsumed),
                kind,
                container.Last?.Value.End ?? container.Open + 1);
            container.Last?.NextStart = start;
            container.First ??= item;
            container.Last = item;
            container.Match ??= isMatch ? item : null;
            container.Count++;
        }

        container.Close = _mark + (int)reader.TokenStartIndex;
        container.Last?.NextStart = container.Close;
    }

    /// <summary>Whether a name is the one that the pointer names; what is the same name for .NET configuration is a rival.</summary>
    private bool IsNamed(ref Utf8JsonReader reader, JsonContainer container, int level, JsonSpan span)
    {
        string name = reader.GetString()!;
        if (!name.Equals(_pointer[level], StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        if (name == _pointer[level] && container.Match is null)
        {
            return true;
        }

        container.Rival ??= span;
        return false;
    }
}
