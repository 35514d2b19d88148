using System.Globalization;
using System.Text;

namespace Ripple.Admin.Editing;

/// <summary>
/// A change of one place of a JSON document, named by a JSON pointer (RFC 6901). Only the bytes of that place are replaced: comments,
/// order, spaces, line ends and a byte order mark of the rest stay as they are. The document may have comments and trailing commas, as
/// .NET's JSON configuration provider allows. Immutable; any thread.
/// </summary>
public sealed class JsonEdit
{
    private readonly JsonPointer _pointer;
    private readonly string? _value;
    private readonly bool _createsMissing;

    private JsonEdit(JsonPointer pointer, string? value, bool createsMissing) =>
        (_pointer, _value, _createsMissing) = (pointer, value, createsMissing);

    /// <summary>The place, as it was given.</summary>
    public string Pointer => _pointer.Text;

    /// <summary>The JSON text of the value that is set; null if the place is removed.</summary>
    public string? Value => _value;

    /// <summary>The parts of the pointer.</summary>
    internal JsonPointer Place => _pointer;

    /// <summary>
    /// Sets a place: replaces the value that is there, adds a member as the last of its object, or, where the last part is <c>-</c>,
    /// appends an element to an array. What is added is written as its neighbours are: their indentation, line ends, and a comma at the end
    /// if they have one.
    /// </summary>
    /// <param name="pointer">The place, such as <c>/limits/max</c>; empty for the whole document.</param>
    /// <param name="json">The value: one JSON value without comments. It is kept as it is written, but for line ends, which become those of
    /// the document.</param>
    /// <param name="createsMissing">Makes the objects on the way that are missing; otherwise they are an error.</param>
    /// <exception cref="FormatException">The pointer is no pointer, or the value is not JSON or has a name twice.</exception>
    public static JsonEdit Set(string pointer, string json, bool createsMissing = false)
    {
        ArgumentNullException.ThrowIfNull(json);
        var place = JsonPointer.Parse(pointer);
        if (JsonText.HasHalfSurrogate(json))
        {
            throw new FormatException("The value has half of a surrogate pair, which UTF-8 cannot hold. Leave it out.");
        }

        string value = json.Trim(' ', '\t', '\r', '\n');
        int depth = JsonText.CheckValue(Encoding.UTF8.GetBytes(value));
        if (place.Count + depth > JsonText.DepthMax)
        {
            throw new FormatException(string.Create(
                CultureInfo.InvariantCulture,
                $"With this value at '{pointer}' the document would be deeper than {JsonText.DepthMax}. Set a value that is less deep."));
        }

        return new JsonEdit(place, value, createsMissing);
    }

    /// <summary>Sets a place to a text, as <see cref="Set"/> does with a JSON string.</summary>
    /// <param name="pointer">The place, such as <c>/region</c>.</param>
    /// <param name="text">The text, without quotation marks and escapes.</param>
    /// <param name="createsMissing">Makes the objects on the way that are missing; otherwise they are an error.</param>
    /// <exception cref="FormatException">The pointer is no pointer, or the text has half of a surrogate pair.</exception>
    public static JsonEdit SetText(string pointer, string text, bool createsMissing = false)
    {
        ArgumentNullException.ThrowIfNull(text);
        return JsonText.HasHalfSurrogate(text)
            ? throw new FormatException("The text has half of a surrogate pair, which UTF-8 cannot hold. Leave it out.")
            : Set(pointer, JsonText.Quote(text), createsMissing);
    }

    /// <summary>
    /// Removes a member or an element with its comma. Lines that hold nothing else go with it, and so do comments between the value and its
    /// comma and those behind it on its last line; comments on lines above stay. What is not there needs no removal, and is no error; an
    /// index beyond the end is one.
    /// </summary>
    /// <param name="pointer">The place, such as <c>/limits/max</c>.</param>
    /// <exception cref="FormatException">The pointer is no pointer, or is empty.</exception>
    public static JsonEdit Unset(string pointer)
    {
        var place = JsonPointer.Parse(pointer);
        return place.Count > 0
            ? new JsonEdit(place, null, createsMissing: false)
            : throw new FormatException("The pointer \"\" is the whole document, which cannot be removed from itself. Remove the key.");
    }

    /// <summary>Makes the change in a document.</summary>
    /// <param name="document">UTF-8, with or without a byte order mark. It is not changed.</param>
    /// <exception cref="JsonEditException">
    /// The document is not UTF-8 or not JSON, is deeper than 64, would not be an object, or does not have what the pointer names: an
    /// object on the way is missing or is another value, an index is none or beyond the end, or a name is there twice or in another case,
    /// which .NET configuration takes for the same name. It says where.
    /// </exception>
    public JsonEditOutcome Apply(ReadOnlyMemory<byte> document)
    {
        ReadOnlySpan<byte> bytes = document.Span;
        JsonText.CheckDocument(bytes);
        var walk = JsonWalk.Through(bytes, _pointer);
        if (JsonEditRefusal.Of(bytes, walk, _pointer, _value, _createsMissing) is { } refusal)
        {
            throw refusal;
        }

        JsonSpan? found = walk.Stop == JsonStop.Found ? walk.ValueAt(_pointer.Count) : null;
        string? before = found is { } span ? Encoding.UTF8.GetString(bytes[span.Start..span.End]) : null;
        bool isSame = _value is null
            ? found is null
            : found is { } now && JsonText.AreSame(bytes[now.Start..now.End], Encoding.UTF8.GetBytes(_value));
        if (isSame)
        {
            return new JsonEditOutcome { Document = document, IsChanged = false, Before = before, After = before };
        }

        string? value = _value is null ? null : WithLineEnds(_value, JsonGap.NewLineFrom(bytes, 0));
        List<JsonSplice> splices = value is null ? JsonRemoval.Make(bytes, walk.Way[^1].Match!)
            : found is { } old ? [new(old.Start, old.End, value)]
            : JsonInsertion.Make(bytes, walk, walk.Stop == JsonStop.Append ? [] : Names(walk.Way.Count - 1), value);
        return new JsonEditOutcome
        {
            Document = JsonSplice.Apply(bytes, splices),
            IsChanged = true,
            Before = before,
            After = value,
            Splices = splices,
        };
    }

    /// <summary>The parts of the pointer from one on.</summary>
    private List<string> Names(int from)
    {
        var names = new List<string>();
        for (int i = from; i < _pointer.Count; i++)
        {
            names.Add(_pointer[i]);
        }

        return names;
    }

    /// <summary>Line ends of JSON are between its tokens alone.</summary>
    private static string WithLineEnds(string value, string? newLine) => newLine is null
        ? value
        : value.Replace("\r\n", "\n", StringComparison.Ordinal)
            .Replace('\r', '\n')
            .Replace("\n", newLine, StringComparison.Ordinal);
}
