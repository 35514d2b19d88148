using System.Globalization;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;
using Ripple.Client;
using Ripple.Engine.Releases;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>Maps the keys of a release to configuration sections, following the table in the guide. Immutable and thread-safe.</summary>
internal sealed class SectionMap
{
    private const string JsonSuffix = ".json";
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly JsonDocumentOptions Json = new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true };
    private static readonly string[] UnreadSuffixes = [".yaml", ".yml", ".toml", ".xml", ".ini", ".properties"];
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
    public FlatConfiguration? TryFlatten(RippleRelease release, out IReadOnlyList<string> errors)
    {
        var found = new List<string>();
        var keyOfSection = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var keyOfPath = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var values = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        var budget = new PathBudget();
        foreach ((string key, ReadOnlyMemory<byte> bytes) in release.Values.Where(v => IsWanted(v.Key)).OrderBy(
            v => v.Key, StringComparer.Ordinal))
        {
            string section = SectionOf(key);
            if (!keyOfSection.TryAdd(section, key))
            {
                found.Add($"The keys '{keyOfSection[section]}' and '{key}' are the same section '{section}'. Publish it under one key.");
                continue;
            }

            var flattener = new JsonFlattener(section, budget);
            if (Flatten(flattener, key, section, bytes) is { } error)
            {
                found.Add(error);
                continue;
            }

            foreach ((string path, string? value) in flattener.Values)
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

    /// <summary>The keys that become configuration and look like documents of another kind than the one that is read.</summary>
    public IEnumerable<string> FindUnread(RippleRelease release) =>
        release.Values.Keys.Where(
            key => IsWanted(key) && Array.Exists(UnreadSuffixes, suffix => key.EndsWith(suffix, StringComparison.OrdinalIgnoreCase)));

    /// <summary>The section of a key; empty for the root.</summary>
    public string SectionOf(string key)
    {
        if (key == _rootKey)
        {
            return _prefix;
        }

        string name = IsJson(key) && key.Length > JsonSuffix.Length ? key[..^JsonSuffix.Length] : key;
        string path = name.Replace("/", ConfigurationPath.KeyDelimiter, StringComparison.Ordinal);
        return _prefix.Length == 0 ? path : ConfigurationPath.Combine(_prefix, path);
    }

    // As a host judges it.
    private static bool IsJson(string key) => key.EndsWith(JsonSuffix, StringComparison.OrdinalIgnoreCase);

    private bool IsWanted(string key) =>
        _patterns.Length == 0
        || Array.Exists(
            _patterns, p => p.EndsWith('*') ? key.AsSpan().StartsWith(p.AsSpan(0, p.Length - 1), StringComparison.Ordinal) : p == key);

    private string? Flatten(JsonFlattener flattener, string key, string section, ReadOnlyMemory<byte> bytes)
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

            return flattener.TryAdd(document.RootElement)
                ? null
                : $"The key '{key}' says paths of more than {PathBudget.CharsMax} characters, together with the keys before it. "
                    + "Shorten the names of its sections, or publish it as several applications.";
        }
        catch (JsonException e)
        {
            if (isRoot || IsJson(key))
            {
                return $"The key '{key}' is not JSON: line {e.LineNumber + 1}, byte {e.BytePositionInLine + 1}. "
                    + $"Publish JSON, or rename the key.";
            }
        }

        return AddText(flattener, section, content);
    }

    private static string? AddText(JsonFlattener flattener, string section, ReadOnlyMemory<byte> content)
    {
        try
        {
            // What most editors and tools put at the end of a file is not meant: a text of one line would compare and connect as another.
            ReadOnlySpan<byte> text = content.Span;
            flattener.AddText(section, Utf8.GetString(text.EndsWith("\r\n"u8) ? text[..^2] : text.EndsWith("\n"u8) ? text[..^1] : text));
        }
        catch (ArgumentException)
        {
            // Not text, so not configuration: readable only through the client.
        }

        return null;
    }
}

/// <summary>
/// Flattens a JSON document below a section, following the JSON configuration files of .NET 10: an empty object is null, an empty array is
/// an empty string, null is null. The paths count toward a limit shared by the keys of a release.
/// </summary>
internal sealed class JsonFlattener(string section, PathBudget budget)
{
    private readonly List<KeyValuePair<string, string?>> _values = [];

    /// <summary>The paths with their values, in document order; a path that occurs twice in the document occurs twice here.</summary>
    public IReadOnlyList<KeyValuePair<string, string?>> Values => _values;

    /// <summary>False if the paths exceed the limit; the values are then incomplete.</summary>
    public bool TryAdd(JsonElement document) => TryAdd(section, document);

    public void AddText(string path, string text) => _values.Add(new(path, text));

    private bool TryAdd(string path, JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                return TryAddObject(path, element);
            case JsonValueKind.Array:
                return TryAddArray(path, element);
            case JsonValueKind.Null:
                _values.Add(new(path, null));
                return true;
            default:
                _values.Add(new(path, element.ToString()));
                return true;
        }
    }

    private bool TryAddObject(string path, JsonElement element)
    {
        bool isEmpty = true;
        foreach (JsonProperty property in element.EnumerateObject())
        {
            isEmpty = false;
            string name = property.Name;
            if (!budget.TryTake(path.Length + name.Length + 1) || !TryAdd(Below(path, name), property.Value))
            {
                return false;
            }
        }

        if (isEmpty && path.Length > 0)
        {
            _values.Add(new(path, null));
        }

        return true;
    }

    private bool TryAddArray(string path, JsonElement element)
    {
        int index = 0;
        foreach (JsonElement item in element.EnumerateArray())
        {
            string name = (index++).ToString(CultureInfo.InvariantCulture);
            if (!budget.TryTake(path.Length + name.Length + 1) || !TryAdd(Below(path, name), item))
            {
                return false;
            }
        }

        if (index == 0)
        {
            _values.Add(new(path, string.Empty));
        }

        return true;
    }

    private static string Below(string path, string name) => path.Length == 0 ? name : ConfigurationPath.Combine(path, name);
}

/// <summary>
/// Limits the total length of one release's configuration paths. A path repeats the names of its sections, so a document of a few hundred
/// kilobytes can produce gigabytes of paths: such a release is rejected before they are created. One thread.
/// </summary>
internal sealed class PathBudget
{
    /// <summary>The limit for all paths of a release: the same as a host's limit for one value.</summary>
    public const long CharsMax = JsonExpansion.CharsMax;

    private long _left = CharsMax;

    /// <summary>Takes the length of a path. False once the limit is exceeded, also for all later paths.</summary>
    public bool TryTake(int pathChars)
    {
        _left = _left < 0 ? _left : _left - pathChars - JsonExpansion.EntryChars;
        return _left >= 0;
    }
}
