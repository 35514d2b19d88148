namespace Ripple.Mutants.Lists;

/// <summary>A part of the product, and what may see that it is broken.</summary>
internal sealed record Room
{
    public required string Name { get; init; }

    /// <summary>Folders from the root of the repository. A file belongs to the room with the longest folder that holds it.</summary>
    public required IReadOnlyList<string> Folders { get; init; }

    /// <summary>The test project of this room.</summary>
    public required string Tests { get; init; }

    /// <summary>The namespaces of that project which test this room and run first; none when the room has no tests of its own.</summary>
    public required IReadOnlyList<string> First { get; init; }

    /// <summary>The other test projects that use it, in the order in which they run.</summary>
    public required IReadOnlyList<string> Then { get; init; }

    /// <summary>The simulator runs its code.</summary>
    public required bool IsSimulated { get; init; }

    /// <summary>How deep the file lies in this room; -1 when it does not.</summary>
    public int DepthOf(string file) =>
        Folders.Where(f => file.StartsWith(f + "/", StringComparison.Ordinal)).Select(f => f.Length).DefaultIfEmpty(-1).Max();

    public static Room Read(FieldBlock block) => new()
    {
        Name = block["room"],
        Folders = block.List("folders"),
        Tests = block["tests"],
        First = block.List("first"),
        Then = block.List("then"),
        IsSimulated = block["simulated"] == "yes",
    };
}
