namespace Ripple.Admin.Editing;

/// <summary>
/// Removes a member or an element with one comma. A line that holds nothing else goes with it, and the comments on its last line behind it;
/// comments on lines before it stay.
/// </summary>
internal static class JsonRemoval
{
    /// <summary>The splices that remove an item.</summary>
    /// <param name="document">The document.</param>
    /// <param name="item">The item.</param>
    public static List<JsonSplice> Make(ReadOnlySpan<byte> document, JsonItem item)
    {
        // The comma behind it, also where that is the last one of the container.
        if (JsonGap.FindComma(document, item.Value.End, item.NextStart) is { } next)
        {
            return [WholeLines(document, item, next + 1)
                ?? new(item.Start, JsonGap.SkipSpaces(document, next + 1, overLines: false), string.Empty)];
        }

        JsonSplice? lines = WholeLines(document, item, item.Value.End);
        if (JsonGap.FindComma(document, item.PreviousEnd, item.Start) is not { } comma)
        {
            // It is alone.
            return [lines ?? new(item.Start, JsonGap.SkipSpaces(document, item.Value.End, overLines: false), string.Empty)];
        }

        return lines is { } whole ? [new(comma, comma + 1, string.Empty), whole]
            : JsonGap.IsBlank(document, comma + 1, item.Start) ? [new(comma, item.Value.End, string.Empty)]
            : [new(comma, comma + 1, string.Empty), new(item.Start, item.Value.End, string.Empty)];
    }

    /// <summary>The lines of an item; null if they hold something else.</summary>
    /// <param name="document">The document.</param>
    /// <param name="item">The item.</param>
    /// <param name="end">The byte behind the item, with its comma.</param>
    private static JsonSplice? WholeLines(ReadOnlySpan<byte> document, JsonItem item, int end) =>
        JsonGap.IsFirstOnLine(document, item.Start, out int lineStart) && JsonGap.NextLine(document, end) is { } nextLine
            ? new JsonSplice(lineStart, nextLine, string.Empty)
            : null;
}
