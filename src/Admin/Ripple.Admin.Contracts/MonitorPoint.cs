namespace Ripple.Admin.Contracts;

/// <summary>
/// How far a predicate has come. Within a monitor points never go back in the order of generation, version and release: a predicate that
/// was changed has a greater version, and may show an older release.
/// </summary>
public sealed record MonitorPoint
{
    /// <summary>The generation of the release.</summary>
    public required uint Generation { get; init; }

    /// <summary>The version of the predicate; 0 if it was given as text.</summary>
    public required ulong Version { get; init; }

    /// <summary>The newest release for which the predicate holds, over the members of the moment; 0 for none.</summary>
    public required ulong Release { get; init; }

    /// <summary>Why it cannot be evaluated now, for example because nobody is there that it names; null if it can.</summary>
    public string? Problem { get; init; }
}
