using System.Text.Json.Serialization;

namespace Ripple.Attacks.Runs;

/// <summary>The last line.</summary>
/// <param name="Attacks">How many attacks were made.</param>
/// <param name="Held">How many of them the product held against.</param>
/// <param name="WorstP99Ratio">The greatest ratio of a p99 during an attack to its baseline; null for none.</param>
internal sealed record Summary(
    [property: JsonPropertyName("attacks")] int Attacks,
    [property: JsonPropertyName("held")] int Held,
    [property: JsonPropertyName("worst_p99_ratio")] double? WorstP99Ratio)
{
    public static Summary Of(IReadOnlyCollection<AttackResult> results)
    {
        double? worst = results.Where(r => r.BaselineP99Ms > 0).Max(r => r.P99Ms / r.BaselineP99Ms);
        return new Summary(results.Count, results.Count(r => r.IsHeld), worst is null ? null : Math.Round(worst.Value, 2));
    }
}
