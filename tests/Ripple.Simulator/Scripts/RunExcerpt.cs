using System.Collections.Immutable;

namespace Ripple.Simulator.Scripts;

/// <summary>The items that a run keeps; those of a set that is null are all kept.</summary>
/// <param name="Faults">The faults.</param>
/// <param name="Nodes">The nodes.</param>
/// <param name="Publishes">The turns of the publisher.</param>
internal sealed record RunExcerpt(
    ImmutableSortedSet<string>? Faults, ImmutableSortedSet<string>? Nodes, ImmutableSortedSet<string>? Publishes)
{
    /// <summary>Keeps everything.</summary>
    public static RunExcerpt All { get; } = new(null, null, null);

    /// <summary>The set of one kind; null for all.</summary>
    public ImmutableSortedSet<string>? Of(RunItem item) => item switch
    {
        RunItem.Fault => Faults,
        RunItem.Node => Nodes,
        _ => Publishes,
    };

    /// <summary>The same with another set of one kind.</summary>
    public RunExcerpt With(RunItem item, ImmutableSortedSet<string>? kept) => item switch
    {
        RunItem.Fault => this with { Faults = kept },
        RunItem.Node => this with { Nodes = kept },
        _ => this with { Publishes = kept },
    };

    /// <summary>Whether an item is kept.</summary>
    public bool Keeps(RunItem item, string name) => Of(item)?.Contains(name) != false;
}
