using System.IO.Compression;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using Ripple.Engine.Releases;

namespace Ripple.Load.Push.Histories;

/// <summary>
/// The versions of one document, as somebody edited it: of a file with a line of JSON for each, gzip or not, the oldest first. Immutable.
/// </summary>
internal sealed class DocumentHistory
{
    /// <summary>The key that it is published as.</summary>
    public const string Key = "document";

    /// <summary>The member of each line with the whole version as text.</summary>
    private const string Content = "content";

    /// <summary>Which version an array in memory was found to be: nodes of a process share it, and nobody changes it.</summary>
    private readonly ConditionalWeakTable<byte[], StrongBox<int>> _known = [];

    private DocumentHistory(List<byte[]> versions) => Versions = versions;

    /// <summary>The bytes of each version; at least one.</summary>
    public IReadOnlyList<byte[]> Versions { get; }

    /// <summary>Of all versions together.</summary>
    public long Bytes => Versions.Sum(v => (long)v.Length);

    /// <summary>Null, and what is wrong, for a file that has no versions in it.</summary>
    /// <param name="file">The file.</param>
    /// <param name="versionsMax">The first so many versions are taken.</param>
    /// <param name="error">What is wrong, where, and what a file looks like.</param>
    public static DocumentHistory? TryRead(string file, int versionsMax, out string error)
    {
        try
        {
            using Stream stream = OpenUnzipped(file);
            using var reader = new StreamReader(stream, new UTF8Encoding(false, throwOnInvalidBytes: true));
            var versions = new List<byte[]>();
            for (int line = 1; versions.Count < versionsMax && reader.ReadLine() is { } text; line++)
            {
                if (TryReadVersion(text, versions) is { } wrong)
                {
                    error = $"'{file}', line {line}: {wrong} Each line is the JSON of one version, with its whole text as \"{Content}\".";
                    return null;
                }
            }

            error = versions.Count > 0 ? string.Empty : $"'{file}' has no lines: name a file with a version of a document on each.";
            return versions.Count > 0 ? new DocumentHistory(versions) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException or DecoderFallbackException)
        {
            error = $"'{file}' cannot be read: {e.Message} Name a file with lines of JSON in UTF-8, compressed with gzip or not at all.";
            return null;
        }
    }

    /// <summary>Whether a value is a version, byte for byte. Any thread.</summary>
    public bool IsVersion(int index, ReadOnlyMemory<byte> value)
    {
        byte[]? whole = MemoryMarshal.TryGetArray(value, out ArraySegment<byte> segment) && segment.Count == segment.Array!.Length
            ? segment.Array
            : null;
        if (whole is not null && _known.TryGetValue(whole, out StrongBox<int>? known) && known.Value == index)
        {
            return true;
        }

        bool isEqual = value.Span.SequenceEqual(Versions[index]);
        if (isEqual && whole is not null)
        {
            _known.AddOrUpdate(whole, new StrongBox<int>(index));
        }

        return isEqual;
    }

    private static Stream OpenUnzipped(string file)
    {
        FileStream stream = File.OpenRead(file);
        bool isZipped = stream.ReadByte() == 0x1F && stream.ReadByte() == 0x8B;
        stream.Position = 0;
        return isZipped ? new GZipStream(stream, CompressionMode.Decompress) : stream;
    }

    /// <summary>What is wrong with a line; null when nothing is.</summary>
    private static string? TryReadVersion(string line, List<byte[]> versions)
    {
        try
        {
            using var json = JsonDocument.Parse(line);
            if (json.RootElement.ValueKind != JsonValueKind.Object
                || !json.RootElement.TryGetProperty(Content, out JsonElement content)
                || content.ValueKind != JsonValueKind.String)
            {
                return $"there is no text named \"{Content}\" in it.";
            }

            byte[] version = Encoding.UTF8.GetBytes(content.GetString()!);
            versions.Add(version);
            return version.Length > ReleaseLimits.PublishBytesMax
                ? $"the version has {version.Length} bytes, and a publish has at most {ReleaseLimits.PublishBytesMax}."
                : null;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            // The second of a text that is no Unicode.
            return $"it is no JSON ({e.Message}).";
        }
    }
}
