using System.Text;

namespace Ripple.Admin.Editing;

/// <summary>Adds a last member or element, written as those beside it are.</summary>
internal static class JsonInsertion
{
    private const string DefaultColon = ": ";
    private const string DefaultIndent = "  ";

    /// <summary>The splices that add an item to the last container of the way.</summary>
    /// <param name="document">The document.</param>
    /// <param name="walk">The way to the container.</param>
    /// <param name="names">The member's name, and those of the objects to be made inside it; none for an element.</param>
    /// <param name="value">The value, as JSON.</param>
    public static List<JsonSplice> Make(ReadOnlySpan<byte> document, JsonWalk walk, IReadOnlyList<string> names, string value)
    {
        JsonContainer container = walk.Way[^1];
        string colon = ColonOf(document, walk);
        var text = new ItemText(names, value, colon, UnitOf(document, walk));
        return container.Last is { } last
            ? Beside(document, container, last, text)
            : Alone(document, walk, container, text);
    }

    private static List<JsonSplice> Beside(ReadOnlySpan<byte> document, JsonContainer container, JsonItem last, ItemText text)
    {
        int? comma = JsonGap.FindComma(document, last.Value.End, container.Close);
        int at = JsonGap.LastEnd(document, last.Value.End, container.Close, out bool isBehindLineComment);
        // Where a comma ends the last line, the new last line ends so, too.
        string end = comma is null ? string.Empty : ",";
        string item;
        if (JsonGap.IsFirstOnLine(document, last.Start, out int lineStart)
            || JsonGap.IsFirstOnLine(document, container.First!.Start, out lineStart))
        {
            string indent = JsonGap.IndentOf(document, JsonGap.SkipSpaces(document, lineStart, overLines: false));
            string newLine = JsonGap.NewLineBefore(document, lineStart);
            item = newLine + indent + text.Lines(newLine, indent);
        }
        else if (isBehindLineComment)
        {
            // Behind the comment on its line it would be a part of it.
            string newLine = JsonGap.NewLineFrom(document, at)!;
            item = newLine + JsonGap.IndentOf(document, container.Close) + text.Unit + text.Line();
        }
        else
        {
            // One without spaces before it may be so only because it is the first: then as spaces stand behind a colon.
            string spaces = JsonGap.SpacesBefore(document, last.Start);
            bool isSpaced = spaces.Length > 0 || container.Count > 1;
            item = (isSpaced ? spaces : text.Colon[(text.Colon.IndexOf(':', StringComparison.Ordinal) + 1)..]) + text.Line();
        }

        // The comma follows the value, and the item follows the comments that are about that value.
        return comma is not null ? [new(at, at, item + end)]
            : at == last.Value.End ? [new(at, at, "," + item)]
            : [new(last.Value.End, last.Value.End, ","), new(at, at, item)];
    }

    private static List<JsonSplice> Alone(ReadOnlySpan<byte> document, JsonWalk walk, JsonContainer container, ItemText text)
    {
        int at = JsonGap.LastEnd(document, container.Open + 1, container.Close, out _);
        bool hasComment = at > container.Open + 1;
        if (JsonGap.NewLineFrom(document[..container.Close], at) is { } ownLine)
        {
            string indent = JsonGap.IndentOf(document, container.Close) + text.Unit;
            return [new(at, at, ownLine + indent + text.Lines(ownLine, indent))];
        }

        bool isOnLines = walk.Way.Count == 1
            || (walk.Way[^2].Match is { } owner && JsonGap.IsFirstOnLine(document, owner.Start, out _));
        if (!container.IsArray && isOnLines && !hasComment)
        {
            string newLine = JsonGap.NewLineFrom(document, 0) ?? "\n";
            string outer = JsonGap.IndentOf(document, container.Open);
            string indent = outer + text.Unit;
            return [new(at, container.Close, newLine + indent + text.Lines(newLine, indent) + newLine + outer)];
        }

        string lead = hasComment ? " " : Encoding.UTF8.GetString(document[at..container.Close]);
        return [new(at, at, lead + text.Line())];
    }

    /// <summary>What is between name and value, as the nearest member has it.</summary>
    private static string ColonOf(ReadOnlySpan<byte> document, JsonWalk walk)
    {
        for (int level = walk.Way.Count - 1; level >= 0; level--)
        {
            JsonContainer container = walk.Way[level];
            if (container is { IsArray: false } && (container.Match ?? container.Last) is { } item)
            {
                ReadOnlySpan<byte> colon = document[item.NameEnd..item.Value.Start];
                return colon.ContainsAnyExcept((byte)' ', (byte)'\t', (byte)':') ? DefaultColon : Encoding.UTF8.GetString(colon);
            }
        }

        return DefaultColon;
    }

    /// <summary>How much deeper a member stands than what holds it, as at the root.</summary>
    private static string UnitOf(ReadOnlySpan<byte> document, JsonWalk walk) =>
        walk.Way[0].First is { } first
            && JsonGap.IsFirstOnLine(document, first.Start, out int lineStart)
            && lineStart < first.Start
            ? Encoding.UTF8.GetString(document[lineStart..first.Start])
            : DefaultIndent;

    /// <summary>An item, and how it is written.</summary>
    /// <param name="names">Its name and those of the objects inside it; none for an element.</param>
    /// <param name="value">The value.</param>
    /// <param name="colon">What is between a name and its value.</param>
    /// <param name="unit">How much deeper a member stands than what holds it.</param>
    private sealed class ItemText(IReadOnlyList<string> names, string value, string colon, string unit)
    {
        public string Colon => colon;

        public string Unit => unit;

        /// <summary>On one line.</summary>
        public string Line() => names.Count == 0
            ? value
            : string.Join("{", names.Select(n => JsonText.Quote(n) + colon)) + value + new string('}', names.Count - 1);

        /// <summary>With a line for each member; the first begins where it is put.</summary>
        public string Lines(string newLine, string indent)
        {
            if (names.Count == 0)
            {
                return value;
            }

            var text = new StringBuilder();
            string at = indent;
            for (int i = 0; i < names.Count; i++)
            {
                text.Append(i == 0 ? string.Empty : $"{{{newLine}{at}").Append(JsonText.Quote(names[i])).Append(colon);
                at += unit;
            }

            text.Append(value);
            for (int i = names.Count - 1; i > 0; i--)
            {
                at = indent + string.Concat(Enumerable.Repeat(unit, i - 1));
                text.Append(newLine).Append(at).Append('}');
            }

            return text.ToString();
        }
    }
}
