using System.Globalization;
using System.Text;

namespace Ripple.Admin.Editing;

/// <summary>A JSON pointer (RFC 6901): the names and indexes on the way to a place of a document. Immutable.</summary>
internal sealed class JsonPointer
{
    private readonly string[] _parts;

    private JsonPointer(string text, string[] parts) => (Text, _parts) = (text, parts);

    /// <summary>The pointer as it was written.</summary>
    public string Text { get; }

    /// <summary>The number of parts; 0 for the whole document.</summary>
    public int Count => _parts.Length;

    /// <summary>A part, without its escapes.</summary>
    public string this[int part] => _parts[part];

    /// <summary>Reads a pointer.</summary>
    /// <exception cref="FormatException">It is none, or has more parts than a document may be deep.</exception>
    public static JsonPointer Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length == 0)
        {
            return new JsonPointer(text, []);
        }

        if (text[0] != '/')
        {
            throw new FormatException(
                $"The pointer '{text}' does not begin with '/'. Write a JSON pointer, such as /limits/max; \"\" is the whole document.");
        }

        string[] parts = text[1..].Split('/');
        if (parts.Length > JsonText.DepthMax)
        {
            throw new FormatException(string.Create(
                CultureInfo.InvariantCulture,
                $"The pointer has {parts.Length} parts; a document is at most {JsonText.DepthMax} deep. Shorten the pointer."));
        }

        return new JsonPointer(text, [.. parts.Select(part => Unescape(part, text))]);
    }

    /// <summary>The pointer to what the first parts lead to.</summary>
    /// <param name="count">How many parts.</param>
    public string Prefix(int count) => string.Concat(_parts.Take(count).Select(part => "/" + Escape(part)));

    /// <summary>A part as an index of an array; null if it is none. What is beyond every array is <see cref="int.MaxValue"/>.</summary>
    public int? IndexAt(int part)
    {
        string text = _parts[part];
        return text.Length == 0 || text.AsSpan().ContainsAnyExceptInRange('0', '9') || (text.Length > 1 && text[0] == '0')
            ? null
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int index) ? index : int.MaxValue;
    }

    /// <summary>Whether a part is the place behind the last element of an array.</summary>
    public bool IsAppendAt(int part) => _parts[part] == "-";

    private static string Escape(string part) =>
        part.Replace("~", "~0", StringComparison.Ordinal).Replace("/", "~1", StringComparison.Ordinal);

    private static string Unescape(string part, string pointer)
    {
        if (JsonText.HasHalfSurrogate(part))
        {
            throw new FormatException("The pointer has half of a surrogate pair, which no document can hold. Leave it out.");
        }

        if (!part.Contains('~', StringComparison.Ordinal))
        {
            return part;
        }

        var name = new StringBuilder(part.Length);
        for (int i = 0; i < part.Length; i++)
        {
            if (part[i] != '~')
            {
                name.Append(part[i]);
                continue;
            }

            char next = i + 1 < part.Length ? part[i + 1] : '\0';
            if (next is not ('0' or '1'))
            {
                throw new FormatException(
                    $"The pointer '{pointer}' has '~' in '{part}' without 0 or 1 behind it. Write '~' as ~0, and '/' inside a name as ~1.");
            }

            name.Append(next == '0' ? '~' : '/');
            i++;
        }

        return name.ToString();
    }
}
