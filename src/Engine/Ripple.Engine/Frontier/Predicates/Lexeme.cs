namespace Ripple.Engine.Frontier.Predicates;

internal readonly record struct Lexeme(LexemeKind Kind, int Position, string Text, int Number)
{
    /// <summary>The token as shown in an error.</summary>
    public string Describe() => Kind switch
    {
        LexemeKind.End => "the end",
        LexemeKind.Operand => $"'${PredicateError.Cut(Text)}'",
        LexemeKind.Quoted => $"\"{PredicateError.Cut(Text)}\"",
        _ => $"'{PredicateError.Cut(Text)}'",
    };
}
