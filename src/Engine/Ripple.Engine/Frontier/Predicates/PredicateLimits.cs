namespace Ripple.Engine.Frontier.Predicates;

/// <summary>Limits on a predicate, which also bound its parsing, binding and evaluation.</summary>
internal static class PredicateLimits
{
    /// <summary>The longest text, in characters.</summary>
    public const int TextCharsMax = 4_096;

    /// <summary>The deepest nesting of operators and parentheses.</summary>
    public const int DepthMax = 64;

    /// <summary>The most operators, sets, operands and numbers in one predicate.</summary>
    public const int NodesMax = 1_024;

    /// <summary>The longest quoted name, in characters.</summary>
    public const int NameCharsMax = 256;

    /// <summary>The greatest number that can be written.</summary>
    public const int NumberMax = 1_000_000;
}
