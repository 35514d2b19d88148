using System.Globalization;

namespace Ripple.Admin.Editing;

/// <summary>A document does not take an edit. The message says what is wrong and where, and what to do.</summary>
public sealed class JsonEditException : Exception
{
    /// <summary>Creates an exception with a default message.</summary>
    public JsonEditException()
        : this("The document does not take the edit.")
    {
    }

    /// <summary>Creates an exception with a message, without a place.</summary>
    public JsonEditException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and its cause, without a place.</summary>
    public JsonEditException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    /// <summary>The line of the document, from 1; 0 if it is about no place.</summary>
    public int Line { get; private init; }

    /// <summary>The character in the line, from 1; 0 if it is about no place.</summary>
    public int Column { get; private init; }

    /// <summary>Creates an exception about a place of a document.</summary>
    /// <param name="document">The document.</param>
    /// <param name="index">The place, in bytes.</param>
    /// <param name="what">What is wrong, without a full stop.</param>
    /// <param name="advice">What to do: a sentence.</param>
    internal static JsonEditException At(ReadOnlySpan<byte> document, int index, string what, string advice)
    {
        (int line, int column) = JsonText.Place(document, index);
        return new JsonEditException(
            string.Create(CultureInfo.InvariantCulture, $"{what} (line {line}, column {column}). {advice}"))
        {
            Line = line,
            Column = column,
        };
    }
}
