using System.Globalization;

namespace Ripple.Load.Fanout;

/// <summary>Counters of a process at one moment, by name.</summary>
internal sealed class Sample
{
    private readonly Dictionary<string, double> _values;

    private Sample(Dictionary<string, double> values) => _values = values;

    public double this[string name] => _values[name];

    /// <summary>Reads words <c>name=value</c>; others are passed over.</summary>
    public static Sample Parse(IEnumerable<string> words) => new(
        words.Select(w => w.Split('=')).Where(p => p.Length == 2).ToDictionary(
            p => p[0], p => double.Parse(p[1], CultureInfo.InvariantCulture), StringComparer.Ordinal));
}
