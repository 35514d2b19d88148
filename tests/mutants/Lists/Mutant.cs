namespace Ripple.Mutants.Lists;

/// <summary>One line of the product, changed so that it is wrong.</summary>
internal sealed record Mutant
{
    /// <summary>Its name: unique, and the same for as long as the change is the same.</summary>
    public required string Id { get; init; }

    /// <summary>The name of the room that the file belongs to.</summary>
    public required string Room { get; init; }

    /// <summary>What kind of mistake it is: the operator that drew it, or the kind its author gave it.</summary>
    public required string Class { get; init; }

    /// <summary>The file, from the root of the repository, with slashes.</summary>
    public required string File { get; init; }

    /// <summary>The line as it is, without the spaces around it. It occurs once in the file.</summary>
    public required string Line { get; init; }

    /// <summary>What the line becomes.</summary>
    public required string Becomes { get; init; }

    /// <summary>What a written mutant breaks, in a sentence; null for a drawn one.</summary>
    public string? Breaks { get; init; }

    /// <summary>The scenario of the simulator that should show a written mutant; null for a drawn one.</summary>
    public string? Scenario { get; init; }

    /// <summary>What the simulator is asked to judge besides what the scenario does, as on its command line; null for nothing.</summary>
    public string? Judge { get; init; }

    /// <summary>The checker that should find a written mutant; null for a drawn one.</summary>
    public string? Checker { get; init; }

    /// <summary>Within how many seeds that checker should find it; 0 for a drawn one.</summary>
    public int Seeds { get; init; }

    /// <summary>What scenario or checker is still missing to find a written mutant; null when it must be found.</summary>
    public string? Missing { get; init; }

    /// <summary>Somebody thought of it, and said what should find it.</summary>
    public bool IsWritten => Scenario is not null;
}
