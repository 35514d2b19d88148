using System.IO.Compression;
using System.Security.Cryptography;
using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Archives;

/// <summary>
/// The state of an application in one file: a zip with the values, byte for byte, and a <c>manifest.json</c> that lists them. Reading an
/// archive verifies all of it: format, lengths and digests. Immutable.
/// </summary>
public sealed class Archive
{
    /// <summary>The entry that contains the manifest.</summary>
    public const string ManifestEntry = "manifest.json";

    private const int ManifestBytesMax = 16 * 1024 * 1024;

    private Archive(ArchiveManifest manifest, IReadOnlyList<KeyValue> values)
    {
        Manifest = manifest;
        Values = values;
    }

    /// <summary>The manifest.</summary>
    public ArchiveManifest Manifest { get; }

    /// <summary>The keys with their values, as bytes.</summary>
    public IReadOnlyList<KeyValue> Values { get; }

    /// <summary>Writes the state of an application at a release.</summary>
    /// <param name="client">The cluster.</param>
    /// <param name="application">The application.</param>
    /// <param name="release">The release; null for the newest at the time of the call.</param>
    /// <param name="output">The stream to write to; need not be seekable. Left open.</param>
    /// <param name="cancellationToken">Cancels the export; the output written so far is not a valid archive.</param>
    /// <exception cref="RippleAdminException">The host refused, or the application has no release.</exception>
    public static async Task<ArchiveManifest> ExportAsync(
        RippleAdminClient client, string application, ulong? release, Stream output, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        ulong number = release ?? (await client.GetApplicationAsync(application, cancellationToken).ConfigureAwait(false)).Release;
        if (number == 0)
        {
            throw Refused($"'{application}' has no release yet, so that there is nothing to export. Publish something first.");
        }

        ReleaseInfo info = await client.GetReleaseAsync(application, number, cancellationToken).ConfigureAwait(false);
        var keys = new List<ArchiveKey>();
        using var zip = new ZipArchive(output, ZipArchiveMode.Create, leaveOpen: true);
        await foreach (KeyInfo key in client.ListKeysAsync(application, number, null, cancellationToken).ConfigureAwait(false))
        {
            KeyContent content = await client.ReadKeyAsync(application, key.Key, number, cancellationToken).ConfigureAwait(false);
            string entry = EntryOf(keys.Count + 1, key.Key);
            await WriteAsync(zip, entry, info.Time, content.Bytes, cancellationToken).ConfigureAwait(false);
            keys.Add(new ArchiveKey(key.Key, entry, content.Bytes.Length, Convert.ToHexStringLower(SHA256.HashData(content.Bytes.Span))));
        }

        var manifest = new ArchiveManifest
        {
            Format = ArchiveManifest.KnownFormat,
            Version = ArchiveManifest.KnownVersion,
            Application = application,
            Generation = info.Generation,
            Release = number,
            ReleaseId = info.Id,
            Time = info.Time,
            Keys = keys,
        };
        await WriteAsync(
            zip, ManifestEntry, info.Time, JsonSerializer.SerializeToUtf8Bytes(
                manifest, ArchiveJson.Default.ArchiveManifest), cancellationToken).ConfigureAwait(false);
        return manifest;
    }

    /// <summary>Reads and verifies an archive.</summary>
    /// <param name="input">The stream to read from; should be seekable. Left open.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleAdminException">The file is not an archive, has another format version, is damaged, or is too large for one
    /// release; the message says which.</exception>
    public static async Task<Archive> ReadAsync(Stream input, CancellationToken cancellationToken = default)
    {
        try
        {
            using var zip = new ZipArchive(input, ZipArchiveMode.Read, leaveOpen: true);
            ArchiveManifest manifest = await ReadManifestAsync(zip, cancellationToken).ConfigureAwait(false);
            Check(manifest);
            var values = new List<KeyValue>(manifest.Keys.Count);
            foreach (ArchiveKey key in manifest.Keys)
            {
                byte[] bytes = await ReadEntryAsync(zip, key.Entry, key.LengthBytes, cancellationToken).ConfigureAwait(false);
                if (bytes.Length != key.LengthBytes || Convert.ToHexStringLower(SHA256.HashData(bytes)) != key.Sha256)
                {
                    throw Refused($"The archive is damaged: the value of '{key.Key}' is not the one that was exported. Export it again.");
                }

                values.Add(new KeyValue { Key = key.Key, Bytes = bytes });
            }

            return new Archive(manifest, values);
        }
        catch (Exception e) when (e is InvalidDataException or JsonException)
        {
            throw new RippleAdminException(
                AdminFailure.Refused, $"The file is not an archive that 'export' made, or it is damaged: {e.Message}", e);
        }
    }

    /// <summary>The changes that import this state into an application, as one release.</summary>
    /// <param name="client">The cluster.</param>
    /// <param name="application">The application.</param>
    /// <param name="replaces">True to remove keys that are not in the archive; false to keep them.</param>
    /// <param name="note">The note of the release; null to state the origin of the archive.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async Task<PublishRequest> PlanImportAsync(
        RippleAdminClient client, string application, bool replaces, string? note = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(client);
        var remove = new List<string>();
        if (replaces)
        {
            var kept = Manifest.Keys.Select(k => k.Key).ToHashSet(StringComparer.Ordinal);
            await foreach (KeyInfo key in client.ListKeysAsync(application, null, null, cancellationToken).ConfigureAwait(false))
            {
                if (!kept.Contains(key.Key))
                {
                    remove.Add(key.Key);
                }
            }
        }

        return new PublishRequest
        {
            Set = Values,
            Remove = remove,
            Note = note ?? $"imported from {Manifest.Application} release {Manifest.Release} ({Manifest.ReleaseId})",
        };
    }

    private static async Task WriteAsync(
        ZipArchive zip, string name, DateTimeOffset time, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        ZipArchiveEntry entry = zip.CreateEntry(name, CompressionLevel.Optimal);
        entry.LastWriteTime = time;
        Stream stream = await entry.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            await stream.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<ArchiveManifest> ReadManifestAsync(ZipArchive zip, CancellationToken cancellationToken)
    {
        byte[] bytes = await ReadEntryAsync(zip, ManifestEntry, ManifestBytesMax, cancellationToken).ConfigureAwait(false);
        // Check the format first: a later version may not have the members of this one.
        using (JsonDocument document = JsonDocument.Parse(bytes))
        {
            JsonElement root = document.RootElement;
            string? format = root.ValueKind == JsonValueKind.Object
                && root.TryGetProperty("format", out JsonElement f)
                && f.ValueKind == JsonValueKind.String
                ? f.GetString()
                : null;
            if (format != ArchiveManifest.KnownFormat)
            {
                throw Refused(
                    $"The file's manifest does not say that it is a {ArchiveManifest.KnownFormat}. Give a file that 'export' made.");
            }

            if (!root.TryGetProperty("version", out JsonElement v)
                || !v.TryGetInt32(out int version)
                || version != ArchiveManifest.KnownVersion)
            {
                throw Refused(
                    $"The archive has another version of the format than {ArchiveManifest.KnownVersion}, "
                        + $"which is what is understood here. Update this program.");
            }
        }

        return JsonSerializer.Deserialize(bytes, ArchiveJson.Default.ArchiveManifest)!;
    }

    private static void Check(ArchiveManifest manifest)
    {
        if (manifest.Keys.Count > AdminLimits.ChangesMax)
        {
            throw Refused($"The archive has {manifest.Keys.Count} keys; one release changes at most {AdminLimits.ChangesMax}.");
        }

        if (manifest.Keys.Any(k => k is null || k.LengthBytes < 0))
        {
            throw Refused("The archive is damaged: its manifest has a key without a name or a length. Export it again.");
        }

        if (manifest.Keys.Sum(k => (long)k.LengthBytes) > AdminLimits.PublishBytesMax)
        {
            throw Refused($"The archive has more than the {AdminLimits.PublishBytesMax} bytes of values that one release takes.");
        }
    }

    /// <summary>Reads no more than the declared size: a zip entry can declare little and contain much.</summary>
    private static async Task<byte[]> ReadEntryAsync(ZipArchive zip, string name, int bytesMax, CancellationToken cancellationToken)
    {
        ZipArchiveEntry entry = zip.GetEntry(name)
            ?? throw Refused($"The file has no '{name}' in it, so that it is not a whole archive. Give a file that 'export' made.");
        Stream stream = await entry.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            using var bytes = new MemoryStream();
            byte[] buffer = new byte[65_536];
            int read;
            while ((read = await stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false)) > 0)
            {
                if (bytes.Length + read > bytesMax)
                {
                    throw Refused($"The archive is damaged: '{name}' has more bytes than the archive says.");
                }

                bytes.Write(buffer, 0, read);
            }

            return bytes.ToArray();
        }
    }

    /// <summary>
    /// An entry name that can be unpacked anywhere and never leaves the target folder: a number, then the key with unsafe characters
    /// replaced.
    /// </summary>
    private static string EntryOf(int number, string key)
    {
        const int CharsMax = 80;
        string safe = string.Concat(key.TakeLast(CharsMax).Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' ? c : '_'));
        return $"values/{number:D4}-{safe}";
    }

    private static RippleAdminException Refused(string message) => new(AdminFailure.Refused, message);
}
