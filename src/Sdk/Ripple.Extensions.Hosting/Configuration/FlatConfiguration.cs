using Microsoft.Extensions.Configuration;
using Ripple.Client;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>One release as configuration: values by path, and the child names of each path. Immutable and thread-safe.</summary>
internal sealed class FlatConfiguration
{
    private static readonly string[] None = [];
    private readonly Dictionary<string, string?> _values;
    private readonly Dictionary<string, string[]> _children;

    public FlatConfiguration(RippleRelease? release, Dictionary<string, string?> values)
    {
        Release = release;
        _values = values;
        _children = IndexChildren(values.Keys);
    }

    public static FlatConfiguration Empty { get; } = new(null, new(StringComparer.OrdinalIgnoreCase));

    /// <summary>The release; null before the first.</summary>
    public RippleRelease? Release { get; }

    public int Count => _values.Count;

    /// <summary>Whether both say the same, whatever release they are of.</summary>
    public bool SaysSameAs(FlatConfiguration other) =>
        _values.Count == other._values.Count
        && _values.All(v => other._values.TryGetValue(v.Key, out string? value) && value == v.Value);

    public bool TryGet(string path, out string? value) => _values.TryGetValue(path, out value);

    /// <summary>The child names of a path, in configuration order; null is the root.</summary>
    public string[] ChildrenOf(string? path) => _children.GetValueOrDefault(path ?? string.Empty, None);

    private static Dictionary<string, string[]> IndexChildren(IEnumerable<string> paths)
    {
        var sets = new Dictionary<string, HashSet<string>>(StringComparer.OrdinalIgnoreCase);
        foreach (string path in paths)
        {
            for (int end = path.Length; end >= 0;)
            {
                int colon = end == 0 ? -1 : path.LastIndexOf(':', end - 1);
                string parent = colon < 0 ? string.Empty : path[..colon];
                if (!sets.TryGetValue(parent, out HashSet<string>? names))
                {
                    sets.Add(parent, names = new(StringComparer.OrdinalIgnoreCase));
                }

                // The levels above were already indexed with an earlier sibling.
                if (!names.Add(path[(colon + 1)..end]) || colon < 0)
                {
                    break;
                }

                end = colon;
            }
        }

        return sets.ToDictionary(
            s => s.Key,
            s => s.Value.Order(Comparer<string>.Create(ConfigurationKeyComparer.Instance.Compare)).ToArray(),
            StringComparer.OrdinalIgnoreCase);
    }
}
