namespace Ripple.Admin.Contracts;

/// <summary>
/// What reports levels of an application's own and is no process of Ripple's: a pipeline, a test bench. Predicates name it by
/// <c>$EXTERNAL("name")</c>.
/// </summary>
public sealed record ExternalInfo
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>What it is; may be empty.</summary>
    public required string Description { get; init; }

    /// <summary>How far it has come, by level; a level that it never reported is not there.</summary>
    public IReadOnlyList<ReportedLevel> Levels { get; init; } = [];
}
