using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// Flattens a JSON document below a section, following the JSON configuration files of .NET 10: an empty object is null, an empty array is
/// an empty string, null is null. Paths come out of a room shared by the keys of a release.
/// </summary>
internal sealed class JsonSpread(string section, SpreadRoom room)
{
    private readonly List<KeyValuePair<string, string?>> _values = [];

    /// <summary>The paths with their values, in document order; a path that occurs twice in the document occurs twice here.</summary>
    public IReadOnlyList<KeyValuePair<string, string?>> Values => _values;

    /// <summary>False when the paths find no room: the values are then not whole.</summary>
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
            if (!room.TryTake(path.Length + name.Length + 1) || !TryAdd(Below(path, name), property.Value))
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
            if (!room.TryTake(path.Length + name.Length + 1) || !TryAdd(Below(path, name), item))
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
