namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>A node or a host as predicates select it.</summary>
/// <param name="Name">The name.</param>
/// <param name="Zone">The zone.</param>
/// <param name="IsHost">True for a host, which no set of nodes contains.</param>
/// <param name="Labels">The labels.</param>
internal sealed record PredicateMember(
    string Name, string Zone, bool IsHost, IReadOnlyList<KeyValuePair<string, string>> Labels)
{
    /// <summary>Whether it has a label.</summary>
    public bool HasLabel(string key, string value) => Labels.Any(l => l.Key == key && l.Value == value);
}
