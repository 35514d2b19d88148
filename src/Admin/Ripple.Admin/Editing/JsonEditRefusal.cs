using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Ripple.Admin.Editing;

/// <summary>Says why a document does not take an edit.</summary>
internal static class JsonEditRefusal
{
    /// <summary>The refusal; null if the document takes it.</summary>
    /// <param name="document">The document.</param>
    /// <param name="walk">The pointer's way through it.</param>
    /// <param name="pointer">The pointer.</param>
    /// <param name="value">The value to be set; null for a removal.</param>
    /// <param name="createsMissing">Whether missing objects are made.</param>
    public static JsonEditException? Of(
        ReadOnlySpan<byte> document, JsonWalk walk, JsonPointer pointer, string? value, bool createsMissing)
    {
        bool isObject = pointer.Count == 0 ? value![0] == '{' : walk.RootKind == JsonTokenType.StartObject;
        if (!isObject)
        {
            return JsonEditException.At(
                document,
                walk.Root.Start,
                $"The document {(pointer.Count == 0 ? "would be" : "is")} no object, which .NET configuration does not take",
                "Put it into an object: { \"name\": ... }.");
        }

        int level = walk.StopLevel;
        JsonContainer? at = level < 0 ? null : walk.Way[level];
        switch (walk.Stop)
        {
            case JsonStop.Scalar:
                return JsonEditException.At(
                    document,
                    walk.ValueAt(level + 1)!.Value.Start,
                    $"'{pointer.Prefix(level + 1)}' is {Word(walk.KindAt(level + 1))}, which has no parts",
                    "Point to it alone, or replace it by an object first.");
            case JsonStop.NotIndex:
                return JsonEditException.At(
                    document,
                    at!.Open,
                    $"{Name(pointer, level)} is an array, and '{pointer[level]}' is no index",
                    "Write a number from 0 on, without zeros before it; - is the place behind the last element.");
            case JsonStop.BeyondEnd:
                return JsonEditException.At(
                    document,
                    at!.Close,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{Name(pointer, level)} has {at.Count} elements, and none at index {pointer[level]}"),
                    "Write a lower index, from 0 on; set appends with -.");
            case JsonStop.Duplicate:
                return JsonEditException.At(
                    document,
                    at!.Rival!.Value.Start,
                    $"{Name(pointer, level)} has '{pointer[level]}' twice; names that differ by case only are one for .NET configuration",
                    "Publish the document without one of them.");
            case JsonStop.OtherCase:
                return JsonEditException.At(
                    document,
                    at!.Rival!.Value.Start,
                    $"{Name(pointer, level)} has no '{pointer[level]}', but {NameIn(document, at.Rival.Value)}, which is the same name for "
                        + ".NET configuration",
                    "Write it as the document does.");
            case JsonStop.Append when value is null || level + 1 < pointer.Count:
                return JsonEditException.At(
                    document,
                    at!.Close,
                    $"'-' is the place behind the last element of {Name(pointer, level)}, where nothing is",
                    "Write the index of an element.");
            case JsonStop.Missing when value is not null && level + 1 < pointer.Count:
                return Missing(document, at!, pointer, level, createsMissing);
            default:
                return null;
        }
    }

    private static JsonEditException? Missing(
        ReadOnlySpan<byte> document, JsonContainer at, JsonPointer pointer, int level, bool createsMissing)
    {
        if (!createsMissing)
        {
            return JsonEditException.At(
                document,
                at.Open,
                $"{Name(pointer, level)} has no '{pointer[level]}'",
                "Set that first, or have missing objects made (--create).");
        }

        for (int part = level + 1; part < pointer.Count; part++)
        {
            if (pointer.IsAppendAt(part))
            {
                return JsonEditException.At(
                    document,
                    at.Open,
                    $"{Name(pointer, level)} has no '{pointer[level]}', so that there is no array for '-'",
                    $"Set the array '{pointer.Prefix(part)}' itself, with its elements.");
            }
        }

        return null;
    }

    private static string Name(JsonPointer pointer, int parts) => parts == 0 ? "The document" : $"'{pointer.Prefix(parts)}'";

    private static string NameIn(ReadOnlySpan<byte> document, JsonSpan span) =>
        Encoding.UTF8.GetString(document[span.Start..span.End]);

    private static string Word(JsonTokenType kind) => kind switch
    {
        JsonTokenType.String => "a text",
        JsonTokenType.Number => "a number",
        JsonTokenType.Null => "null",
        _ => "a boolean",
    };
}
