namespace Ripple.Engine.Frontier;

internal readonly record struct PredicateToken(PredicateTokenKind Kind, int Position, string Text, int Number)
{
    /// <summary>The token as an error names it.</summary>
    public string Describe() => Kind switch
    {
        PredicateTokenKind.End => "the end",
        PredicateTokenKind.Operand => $"'${PredicateError.Cut(Text)}'",
        PredicateTokenKind.Quoted => $"\"{PredicateError.Cut(Text)}\"",
        _ => $"'{PredicateError.Cut(Text)}'",
    };
}
