using System.Globalization;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>An error in a predicate, and its position.</summary>
/// <param name="Position">The index in the text, from 0, where the error starts; the length of the text when something is missing at the
/// end.</param>
/// <param name="Message">What is wrong and how to correct it.</param>
internal sealed record PredicateError(int Position, string Message)
{
    private const int QuotedCharsMax = 80;

    /// <summary>The error as one line, with its position.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"At {Position}: {Message}");

    /// <summary>A piece of user text, cut short enough to be repeated in an error.</summary>
    internal static string Cut(string text)
    {
        if (text.Length <= QuotedCharsMax)
        {
            return text;
        }

        return text[..(char.IsHighSurrogate(text[QuotedCharsMax - 1]) ? QuotedCharsMax - 1 : QuotedCharsMax)] + "...";
    }
}
