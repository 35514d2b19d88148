using System.Globalization;
using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// Spreads a JSON document below a section, as the JSON files of .NET 10 are: an empty object is null, an empty array is an empty text,
/// null is null.
/// </summary>
internal sealed class JsonSpread(string section)
{
    private readonly List<KeyValuePair<string, string?>> _values = [];

    /// <summary>The paths with their values, in the order of the document; a path that the document says twice is here twice.</summary>
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
