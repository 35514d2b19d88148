using System.Collections.Immutable;
using Ripple.Engine.Matching;
using Ripple.Gms.Frontier;

namespace Ripple.Gms.Definitions;

/// <summary>What an application says about itself, as of one release of its companion. Immutable.</summary>
/// <param name="Release">The companion's release; 0 if nothing was ever defined.</param>
/// <param name="Predicates">The predicates, by name.</param>
/// <param name="Levels">What each level of its own means, by name.</param>
/// <param name="Areas">The zones of each area, by name.</param>
internal sealed record ApplicationDefinitions(
    ulong Release,
    ImmutableSortedDictionary<string, NamedPredicate> Predicates,
    ImmutableSortedDictionary<string, string> Levels,
    ImmutableSortedDictionary<string, ImmutableArray<string>> Areas)
{
    /// <summary>Of an application that says nothing about itself.</summary>
    public static readonly ApplicationDefinitions None = new(
        0,
        ImmutableSortedDictionary.Create<string, NamedPredicate>(StringComparer.Ordinal),
        ImmutableSortedDictionary.Create<string, string>(StringComparer.Ordinal),
        ImmutableSortedDictionary.Create<string, ImmutableArray<string>>(StringComparer.Ordinal));

    /// <summary>The space of its events; null if it has none.</summary>
    public SpaceDefinition? Space { get; init; }

    /// <summary>What each external is, by name.</summary>
    public ImmutableSortedDictionary<string, string> Externals { get; init; } =
        ImmutableSortedDictionary.Create<string, string>(StringComparer.Ordinal);

    /// <summary>How far externals have come, by the report's name: external and level, with a slash between.</summary>
    public ImmutableSortedDictionary<string, ExternalReport> Reports { get; init; } =
        ImmutableSortedDictionary.Create<string, ExternalReport>(StringComparer.Ordinal);
}

/// <summary>The space of an application's events. Immutable.</summary>
/// <param name="Text">The space as it was written.</param>
/// <param name="Space">Its dimensions.</param>
/// <param name="Version">The companion's release that set it, or a later one after a start of the host: it never goes back.</param>
internal sealed record SpaceDefinition(string Text, AttributeSpace Space, ulong Version);

/// <summary>A predicate with a name. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Text">The predicate.</param>
/// <param name="Version">The companion's release that set it, or a later one after a start of the host: it never goes back.</param>
internal sealed record NamedPredicate(string Name, string Text, ulong Version);

/// <summary>Which names somebody may have meant.</summary>
internal static class NearNames
{
    private const int NamedMax = 5;
    private const int DistanceMax = 2;

    /// <summary>The names that are near a word, nearest first; if none is, the first few of all. In words.</summary>
    public static string Say(string word, IEnumerable<string> names)
    {
        string[] all = [.. names];
        string[] near =
        [
            .. all.Select(n => (Name: n, Distance: Distance(word, n)))
                .Where(n => n.Distance <= DistanceMax)
                .OrderBy(n => n.Distance)
                .Take(NamedMax)
                .Select(n => n.Name),
        ];
        return near.Length > 0 ? $"Near: {string.Join(", ", near)}."
            : all.Length == 0 ? "None is defined."
            : $"There are {string.Join(", ", all.Take(NamedMax))}{(all.Length > NamedMax ? $" and {all.Length - NamedMax} more" : "")}.";
    }

    /// <summary>How many characters must be put in, taken out or replaced to get from one word to the other (Levenshtein).</summary>
    private static int Distance(string a, string b)
    {
        int[] row = [.. Enumerable.Range(0, b.Length + 1)];
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
