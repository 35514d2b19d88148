using System.Globalization;

namespace Ripple.Mutants.Lists;

/// <summary>Named values that stand together, in their order.</summary>
internal sealed class FieldBlock(string where)
{
    private readonly List<(string Name, string Value)> _fields = [];

    public IReadOnlyList<(string Name, string Value)> Fields => _fields;

    public FieldBlock Add(string name, string value)
    {
        if (Find(name) is not null)
        {
            throw new MutantException($"{where}: '{name}' is there twice.");
        }

        _fields.Add((name, value));
        return this;
    }

    /// <summary>The value; null when it is not there.</summary>
    public string? Find(string name) => _fields.FirstOrDefault(f => f.Name == name).Value;

    public string this[string name] => Find(name) ?? throw new MutantException($"{where}: '{name}' is missing.");

    /// <summary>Values that commas part; none when the field is not there.</summary>
    public IReadOnlyList<string> List(string name) =>
        Find(name)?.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries) ?? [];

    public int Number(string name) =>
        int.TryParse(this[name], NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw new MutantException($"{where}: '{name}' is '{this[name]}', which is no number.");
}
