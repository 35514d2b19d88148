using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Archives;
using Ripple.Admin.Contracts;
using Ripple.Admin.Git;
using Ripple.Admin.Holders;
using Ripple.Cli.Commands;
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

/// <summary>The output format of a command.</summary>
internal enum OutputFormat
{
    /// <summary>Text for display.</summary>
    Text,

    /// <summary>One JSON document.</summary>
    Json,
}

/// <summary>JSON serialization of this program's own types, in the style of the contracts. Does not use reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(PublishReport))]
[JsonSerializable(typeof(ReadValue))]
[JsonSerializable(typeof(ReleaseHolders))]
[JsonSerializable(typeof(ArchiveManifest))]
[JsonSerializable(typeof(ZoneReport[]))]
[JsonSerializable(typeof(GitImportPlan))]
[JsonSerializable(typeof(GitImportResult))]
internal sealed partial class CliJson : JsonSerializerContext;

/// <summary>The release made by a publish, a rollback, an import or an edit, and the result of waiting for it.</summary>
/// <param name="Published">The release; null if an edit changed nothing.</param>
/// <param name="Wait">The result of the wait; null if none was requested.</param>
/// <param name="Edit">What an edit did; null for another change.</param>
internal sealed record PublishReport(PublishResult? Published, WaitResult? Wait, EditReport? Edit);

/// <summary>What an edit did at its place.</summary>
/// <param name="Pointer">The place.</param>
/// <param name="Release">The release that has the value.</param>
/// <param name="Tries">How often it was published; 0 if nothing changed.</param>
/// <param name="Before">The JSON text that was there; null if nothing was.</param>
/// <param name="After">The JSON text that is there; null if nothing is.</param>
internal sealed record EditReport(string Pointer, ulong Release, int Tries, string? Before, string? After);

/// <summary>
/// The value of a key. At most one of <paramref name="Text"/> and <paramref name="Bytes"/> is set; neither if it was written to a file.
/// </summary>
/// <param name="Application">The application.</param>
/// <param name="Key">The key.</param>
/// <param name="Generation">The generation of the release.</param>
/// <param name="Release">The release it was read at.</param>
/// <param name="LengthBytes">The size of the value, in bytes.</param>
/// <param name="Text">The value if it is UTF-8; otherwise null.</param>
/// <param name="Bytes">The value in base64 if it is not UTF-8; otherwise null.</param>
internal sealed record ReadValue(
    string Application, string Key, uint Generation, ulong Release, int LengthBytes, string? Text, byte[]? Bytes);
