using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;
using Ripple.Client;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>Maps the keys of a release to configuration sections, following the table in the guide. Immutable and thread-safe.</summary>
internal sealed class SectionMap
{
    private const string JsonSuffix = ".json";
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly JsonDocumentOptions Json = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };
    private readonly string _rootKey;
    private readonly string _prefix;
    private readonly string[] _patterns;

    public SectionMap(RippleOptions options)
    {
        _rootKey = options.RootKey;
        _prefix = options.Prefix.Trim(':');
        _patterns = [.. options.Keys];
    }

    /// <summary>
    /// Flattens a release into configuration. Null if two keys or two properties map to the same path, or if JSON is malformed;
    /// <paramref name="errors"/> then lists the problems in key order, never including a value.
    /// </summary>
    public FlatConfiguration? TrySpread(RippleRelease release, out IReadOnlyList<string> errors)
    {
        var found = new List<string>();
        var keyOfSection = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var keyOfPath = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var values = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var room = new SpreadRoom();
        foreach ((string key, ReadOnlyMemory<byte> bytes) in release.Values.Where(v => IsWanted(v.Key)).OrderBy(
            v => v.Key, StringComparer.Ordinal))
        {
            string section = SectionOf(key);
            if (!keyOfSection.TryAdd(section, key))
            {
                found.Add($"The keys '{keyOfSection[section]}' and '{key}' are the same section '{section}'. Publish it under one key.");
                continue;
            }

            var spread = new JsonSpread(section, room);
            if (Spread(spread, key, section, bytes) is { } error)
            {
                found.Add(error);
                continue;
            }

            foreach ((string path, string? value) in spread.Values)
            {
                if (!keyOfPath.TryAdd(path, key))
                {
                    found.Add(keyOfPath[path] == key
                        ? $"The key '{key}' says '{path}' twice. Property names that differ only in case are one."
                        : $"The keys '{keyOfPath[path]}' and '{key}' both say '{path}'. Publish it under one key.");
                    continue;
                }

                values.Add(path, value);
            }
        }

        errors = found;
        return found.Count == 0 ? new FlatConfiguration(release, values) : null;
    }

    /// <summary>The section of a key; empty for the root.</summary>
    public string SectionOf(string key)
    {
        if (key == _rootKey)
        {
            return _prefix;
        }

        string name = key.EndsWith(JsonSuffix, StringComparison.Ordinal) && key.Length > JsonSuffix.Length
            ? key[..^JsonSuffix.Length]
            : key;
        string path = name.Replace("/", ConfigurationPath.KeyDelimiter, StringComparison.Ordinal);
        return _prefix.Length == 0 ? path : ConfigurationPath.Combine(_prefix, path);
    }

    private bool IsWanted(string key) =>
        _patterns.Length == 0
        || Array.Exists(
            _patterns, p => p.EndsWith('*') ? key.AsSpan().StartsWith(p.AsSpan(0, p.Length - 1), StringComparison.Ordinal) : p == key);

    private string? Spread(JsonSpread spread, string key, string section, ReadOnlyMemory<byte> bytes)
    {
        bool isRoot = key == _rootKey;
        ReadOnlyMemory<byte> content = bytes.Span.StartsWith(Encoding.UTF8.Preamble) ? bytes[Encoding.UTF8.Preamble.Length..] : bytes;
        try
        {
            using JsonDocument document = JsonDocument.Parse(content, Json);
            if (isRoot && document.RootElement.ValueKind != JsonValueKind.Object)
            {
                return $"The key '{key}' is spread at the root, and its JSON is not an object. "
                    + $"Publish an object, or name another key as RootKey.";
            }

            return spread.TryAdd(document.RootElement)
                ? null
                : $"The key '{key}' says paths of more than {SpreadRoom.CharsMax} characters, together with the keys before it. "
                    + "Shorten the names of its sections, or publish it as several applications.";
        }
        catch (JsonException e)
        {
            if (isRoot || key.EndsWith(JsonSuffix, StringComparison.Ordinal))
            {
                return $"The key '{key}' is not JSON: line {e.LineNumber + 1}, byte {e.BytePositionInLine + 1}. "
                    + $"Publish JSON, or rename the key.";
            }
        }

        return AddText(spread, section, content);
    }

    private static string? AddText(JsonSpread spread, string section, ReadOnlyMemory<byte> content)
    {
        try
        {
            spread.AddText(section, Utf8.GetString(content.Span));
        }
        catch (ArgumentException)
        {
            // Not text, so not configuration: readable only through the client.
        }

        return null;
    }
}
