using System.Globalization;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>What is wrong with a predicate, and where.</summary>
/// <param name="Position">The index in the text, from 0, where the wrong thing starts; the length of the text when something is missing at
/// its end.</param>
/// <param name="Message">What is wrong and what would be right.</param>
internal sealed record PredicateError(int Position, string Message)
{
    private const int QuotedCharsMax = 80;

    /// <summary>The error as one line, with its position.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"At {Position}: {Message}");

    /// <summary>A piece of somebody's text, short enough to be repeated in an error.</summary>
    internal static string Cut(string text)
    {
        if (text.Length <= QuotedCharsMax)
        {
            return text;
        }

        return text[..(char.IsHighSurrogate(text[QuotedCharsMax - 1]) ? QuotedCharsMax - 1 : QuotedCharsMax)] + "...";
    }
}
