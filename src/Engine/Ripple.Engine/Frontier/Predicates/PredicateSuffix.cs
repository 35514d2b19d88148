namespace Ripple.Engine.Frontier.Predicates;

/// <summary>The suffix read after a set; the default value means none.</summary>
internal struct PredicateSuffix
{
    /// <summary>The level in lower case; null when none was written.</summary>
    public string? Level;

    /// <summary>Whether .direct was written.</summary>
    public bool IsDirect;

    /// <summary>Where it starts.</summary>
    public int Position;

    public readonly bool IsNone => Level is null && !IsDirect;
}
