using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Ripple.Trust;

namespace Ripple.Cli.Output;

/// <summary>Writes JSON as one indented document that ends with a newline.</summary>
internal static class JsonOutput
{
    // The output goes to a program or a terminal, never into an HTML page.
    private static readonly JsonWriterOptions Options = new() { Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static void Write<T>(TextWriter output, T value, JsonTypeInfo<T> type) =>
        Write(output, writer => JsonSerializer.Serialize(writer, value, type));

    public static void WriteArray<T>(TextWriter output, IEnumerable<T> items, JsonTypeInfo<T> type) => Write(output, writer =>
    {
        writer.WriteStartArray();
        foreach (T item in items)
        {
            JsonSerializer.Serialize(writer, item, type);
        }

        writer.WriteEndArray();
    });

    private static void Write(TextWriter output, Action<Utf8JsonWriter> write)
    {
        using var bytes = new MemoryStream();
        using (var writer = new Utf8JsonWriter(bytes, Options))
        {
            write(writer);
        }

        output.WriteLine(Escape(Encoding.UTF8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length)));
    }

    /// <summary>
    /// Escapes what the encoder leaves and a terminal does not show, such as bidirectional marks: the same document to a program. It can
    /// only be inside a text, for what is around texts is ASCII.
    /// </summary>
    private static string Escape(string json)
    {
        if (ShownText.FindHidden(json, allowsLines: true) is null)
        {
            return json;
        }

        var escaped = new StringBuilder(json.Length + 64);
        foreach (Rune rune in json.EnumerateRunes())
        {
            if (rune.Value is '\n' or '\r' || !ShownText.IsHidden(rune))
            {
                escaped.Append(rune.ToString());
                continue;
            }

            foreach (char c in rune.ToString())
            {
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}");
            }
        }

        return escaped.ToString();
    }
}
