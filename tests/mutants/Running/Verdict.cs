using System.Text.Json.Serialization;

namespace Ripple.Mutants.Running;

/// <summary>What became of a mutant: a line of the output, and of the state file.</summary>
internal sealed record Verdict
{
    public required string Mutant { get; init; }

    public required string Room { get; init; }

    public required string Class { get; init; }

    /// <summary>The test that saw it; null when none did.</summary>
    public string? SeenByTest { get; init; }

    /// <summary>The scenario, checker and seed that saw it; null when none did.</summary>
    public string? SeenBySimulator { get; init; }

    /// <summary>The scenarios that come by its body; empty when none does, null when nobody asked.</summary>
    public string? ReachedBy { get; init; }

    public double Seconds { get; init; }

    [JsonIgnore]
    public bool IsSeen => SeenByTest is not null || SeenBySimulator is not null;
}
