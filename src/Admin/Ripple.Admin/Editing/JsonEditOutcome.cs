namespace Ripple.Admin.Editing;

/// <summary>A document after an edit. Immutable.</summary>
public sealed record JsonEditOutcome
{
    /// <summary>The document; the one that was given if nothing changed.</summary>
    public required ReadOnlyMemory<byte> Document { get; init; }

    /// <summary>False: the value was there already, or what was to be removed was not.</summary>
    public required bool IsChanged { get; init; }

    /// <summary>The JSON text of the value that was at the place; null if there was none.</summary>
    public required string? Before { get; init; }

    /// <summary>The JSON text of the value that is at the place; null if there is none.</summary>
    public required string? After { get; init; }

    /// <summary>The pieces that were replaced, in the order of the document.</summary>
    internal IReadOnlyList<JsonSplice> Splices { get; init; } = [];
}
