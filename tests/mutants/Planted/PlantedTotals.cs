using System.Globalization;
using System.Text.Json;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Planted;

/// <summary>How the written mutants fared.</summary>
/// <param name="gone">The names of those that the sources have left behind; they are not planted.</param>
internal sealed class PlantedTotals(IEnumerable<string> gone)
{
    private readonly SortedDictionary<string, string?> _foundAt = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, string> _late = new(StringComparer.Ordinal);

    public int Planted { get; private set; }

    /// <summary>Those that are not in the sources any more: to be corrected or deleted, and no failure of the simulator.</summary>
    public IReadOnlyList<string> Gone { get; } = [.. gone.Order(StringComparer.Ordinal)];

    /// <summary>Found by the checker meant for it, in time.</summary>
    public int Found { get; private set; }

    /// <summary>Found by another checker alone, or after more seeds than it should take.</summary>
    public int Late => _late.Count;

    /// <summary>How many that must be found in time, by the checker meant for them, were not.</summary>
    public int Wrong { get; private set; }

    /// <summary>Adds a mutant: the checker and the seed that found it, null and 0 when none did.</summary>
    public void Add(Mutant mutant, string? checker, ulong seed)
    {
        Planted++;
        bool isMeant = checker == mutant.Checker;
        bool isFound = isMeant && seed <= (ulong)mutant.Seeds;
        Found += isFound ? 1 : 0;
        Wrong += isFound || mutant.Missing is not null ? 0 : 1;
        if (!isFound && checker is not null)
        {
            _late[mutant.Id] = isMeant ? "too many seeds" : $"by {checker} instead of {mutant.Checker}";
        }

        _foundAt[mutant.Id] = checker is null ? null : seed.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The last line.</summary>
    public string ToJson() => JsonSerializer.Serialize(new Dictionary<string, object>
    {
        ["planted"] = Planted,
        ["found"] = Found,
        ["late"] = Late,
        ["missed"] = _foundAt.Values.Count(v => v is null),
        ["wrong"] = Wrong,
        ["gone"] = Gone,
        ["found_at_seed"] = _foundAt,
        ["late_because"] = _late,
    });
}
