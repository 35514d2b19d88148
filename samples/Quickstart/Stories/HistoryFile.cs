using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Ripple.Engine.Releases;

namespace Quickstart.Stories;

/// <summary>Every version of one document.</summary>
/// <param name="Key">The key it is published under.</param>
/// <param name="Versions">The exact bytes, oldest first.</param>
/// <param name="Remark">What is to be said about the key; may be empty.</param>
internal sealed record HistoryFile(string Key, IReadOnlyList<ReadOnlyMemory<byte>> Versions, string Remark)
{
    public static HistoryFile Read(string path)
    {
        if (!File.Exists(path))
        {
            throw new QuickstartException(
                $"There is no file '{path}'. Give JSON Lines, also as .gz: {{\"n\":1,\"time\":\"...\",\"content\":\"...\"}}.");
        }

        List<ReadOnlyMemory<byte>> versions = ReadVersions(path);
        if (versions.Count == 0)
        {
            throw new QuickstartException($"'{path}' has no versions; at least one line is expected.");
        }

        string key = KeyOf(path);
        if (!key.EndsWith(".json", StringComparison.OrdinalIgnoreCase))
        {
            return new HistoryFile(key, versions, string.Empty);
        }

        (string? error, int index) = versions.Select((v, i) => (JsonForm.Check(v.Span), i)).FirstOrDefault(c => c.Item1 is not null);
        return error is null
            ? new HistoryFile(key, versions, string.Empty)
            : new HistoryFile(
                Path.ChangeExtension(key, ".txt"),
                versions,
                $"Version {index + 1} is not what .NET's JSON configuration accepts ({error}), so it is published as text.");
    }

    private static List<ReadOnlyMemory<byte>> ReadVersions(string path)
    {
        using FileStream file = File.OpenRead(path);
        using Stream stream = path.EndsWith(".gz", StringComparison.OrdinalIgnoreCase)
            ? new GZipStream(file, CompressionMode.Decompress)
            : file;
        using var reader = new StreamReader(stream, new UTF8Encoding(false, throwOnInvalidBytes: true));
        var versions = new List<ReadOnlyMemory<byte>>();
        try
        {
            while (reader.ReadLine() is { } line)
            {
                if (!string.IsNullOrWhiteSpace(line))
                {
                    using var version = JsonDocument.Parse(line);
                    versions.Add(Encoding.UTF8.GetBytes(version.RootElement.GetProperty("content").GetString() ?? string.Empty));
                }
            }
        }
        catch (Exception e) when (e is JsonException
            or KeyNotFoundException
            or InvalidOperationException
            or DecoderFallbackException
            or InvalidDataException)
        {
            throw new QuickstartException(
                $"Version {versions.Count + 1} of '{path}' cannot be read ({e.Message}). "
                    + $"A line is {{\"n\":1,\"time\":\"...\",\"content\":\"...\"}}.");
        }

        return versions;
    }

    /// <summary>The document's own name where an index beside the file tells it, else the file's.</summary>
    private static string KeyOf(string path)
    {
        string file = Path.GetFileName(path);
        string index = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, "index.json");
        string key = (File.Exists(index) ? NameInIndex(index, file) : null)
            ?? Path.GetFileNameWithoutExtension(file.EndsWith(".gz", StringComparison.OrdinalIgnoreCase) ? file[..^3] : file);
        return ReleaseNames.CheckKey(key) is null ? key : "document.txt";
    }

    private static string? NameInIndex(string index, string file)
    {
        try
        {
            using var document = JsonDocument.Parse(File.ReadAllBytes(index));
            return document.RootElement.EnumerateArray()
                .Where(e => e.GetProperty("file").GetString() == file)
                .Select(e => Path.GetFileName(e.GetProperty("path").GetString()))
                .FirstOrDefault(n => !string.IsNullOrEmpty(n));
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            // An index of something else: the file's name will do.
            return null;
        }
    }
}
