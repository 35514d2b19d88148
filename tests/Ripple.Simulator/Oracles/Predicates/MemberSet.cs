namespace Ripple.Simulator.Oracles.Predicates;

/// <summary>A set of a predicate: its text, and whom it selects. Immutable.</summary>
/// <param name="Text">How it is written.</param>
/// <param name="Selects">Whether it selects a member.</param>
/// <param name="IsOfZones">True if its elements are zones, each all of its hosts; false if they are members.</param>
internal sealed record MemberSet(string Text, Func<PredicateMember, bool> Selects, bool IsOfZones = false)
{
    /// <summary>All nodes.</summary>
    public static MemberSet All { get; } = new("$ALL", m => !m.IsHost);

    /// <summary>All hosts.</summary>
    public static MemberSet Hosts { get; } = new("$HOSTS", m => m.IsHost);

    /// <summary>The hosts that keep the application: all, as long as there is one host.</summary>
    public static MemberSet Replicas { get; } = new("$REPLICAS", m => m.IsHost);

    /// <summary>Every zone that has hosts.</summary>
    public static MemberSet AllZones { get; } = new("$ALLWNODES", m => m.IsHost, IsOfZones: true);

    /// <summary>The nodes of a zone.</summary>
    public static MemberSet Zone(string zone) => new($"$ZONE(\"{zone}\")", m => !m.IsHost && m.Zone == zone);

    /// <summary>The nodes of an area, which is a zone.</summary>
    public static MemberSet Area(string zone) => new($"$AREA_{zone}", m => !m.IsHost && m.Zone == zone);

    /// <summary>The nodes with a label.</summary>
    public static MemberSet Label(string key, string value) =>
        new($"$LABEL('{key}', '{value}')", m => !m.IsHost && m.HasLabel(key, value));

    /// <summary>The nodes and hosts of a name.</summary>
    public static MemberSet Node(string name) => new($"$NODE(\"{name}\")", m => m.Name == name);

    /// <summary>The nodes that are connected to a host; all, as long as there is one host.</summary>
    public static MemberSet Home(string host) => new($"$HOME(\"{host}\")", m => !m.IsHost);

    /// <summary>The zone of a name, if it has hosts.</summary>
    public static MemberSet ZoneOfHosts(string zone) => new($"$WNODE_{zone}", m => m.IsHost && m.Zone == zone, IsOfZones: true);

    /// <summary>What is in this set and not in another one.</summary>
    public MemberSet Without(MemberSet other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return new MemberSet($"({Text} - {other.Text})", m => Selects(m) && !other.Selects(m), IsOfZones);
    }

    /// <summary>Its elements among the members that count, each with one member or with all hosts of a zone.</summary>
    public IReadOnlyList<PredicateMember[]> Among(IEnumerable<PredicateMember> members)
    {
        IEnumerable<PredicateMember> selected = members.Where(Selects);
        return IsOfZones ? [.. selected.GroupBy(m => m.Zone).Select(g => g.ToArray())] : [.. selected.Select(m => new[] { m })];
    }
}
