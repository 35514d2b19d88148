using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// Flattens a JSON document below a section, following the JSON configuration files of .NET 10: an empty object is null, an empty array is
/// an empty string, null is null.
/// </summary>
internal sealed class JsonSpread(string section)
{
    private readonly List<KeyValuePair<string, string?>> _values = [];

    /// <summary>The paths with their values, in document order; a path that occurs twice in the document occurs twice here.</summary>
    public IReadOnlyList<KeyValuePair<string, string?>> Values => _values;

    public void Add(JsonElement document) => Add(section, document);

    public void AddText(string path, string text) => _values.Add(new(path, text));

    private void Add(string path, JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                AddObject(path, element);
                break;
            case JsonValueKind.Array:
                AddArray(path, element);
                break;
            case JsonValueKind.Null:
                _values.Add(new(path, null));
                break;
            default:
                _values.Add(new(path, element.ToString()));
                break;
        }
    }

    private void AddObject(string path, JsonElement element)
    {
        bool isEmpty = true;
        foreach (JsonProperty property in element.EnumerateObject())
        {
            isEmpty = false;
            Add(Below(path, property.Name), property.Value);
        }

        if (isEmpty && path.Length > 0)
        {
            _values.Add(new(path, null));
        }
    }

    private void AddArray(string path, JsonElement element)
    {
        int index = 0;
        foreach (JsonElement item in element.EnumerateArray())
        {
            Add(Below(path, (index++).ToString(CultureInfo.InvariantCulture)), item);
        }

        if (index == 0)
        {
            _values.Add(new(path, string.Empty));
        }
    }

    private static string Below(string path, string name) => path.Length == 0 ? name : ConfigurationPath.Combine(path, name);
}
