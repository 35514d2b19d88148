namespace Ripple.Engine.Frontier.Predicates;

internal enum LexemeKind
{
    End,

    /// <summary>An operator's or level's name.</summary>
    Word,

    /// <summary>A dollar sign and what follows it; the text is without the sign.</summary>
    Operand,

    Number,

    /// <summary>A quoted name; the text is without quotes and escapes.</summary>
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
