namespace Ripple.Engine.Frontier.Predicates;

internal enum LexemeKind
{
    End,

    /// <summary>The name of an operator or level.</summary>
    Word,

    /// <summary>A dollar sign and the word after it; the text excludes the sign.</summary>
    Operand,

    Number,

    /// <summary>A quoted name; the text excludes quotes and escapes.</summary>
    Quoted,

    Open,

    Close,

    Comma,

    Dot,

    Plus,

    Minus,

    Star,

    Slash,
}
