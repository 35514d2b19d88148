using System.Text;
using System.Text.RegularExpressions;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Describes why options could not be created, without the values they were created from.</summary>
internal static partial class FailureText
{
    private const int ValueLengthMin = 2;

    /// <summary>Values of this length are left out wherever they stand, shorter ones where they are no part of a word.</summary>
    private const int HiddenLengthMin = 8;

    /// <summary>
    /// A failure without the text that data annotations wrap around it: rings carry only the first 80 bytes of a reason, which should say
    /// what is wrong.
    /// </summary>
    public static string Of(string failure, IEnumerable<string> values)
    {
        Match annotation = Annotation().Match(failure);
        return Ended(annotation.Success ? $"{annotation.Groups["members"].Value}: "
            + $"{Mask(annotation.Groups["error"].Value, values)}" : Mask(failure, values));
    }

    public static string Of(Exception exception, IEnumerable<string> values)
    {
        // The binder's message quotes the value; the path and the target type are enough.
        Match conversion = Conversion().Match(exception.Message);
        if (conversion.Success)
        {
            return $"what is at '{conversion.Groups["path"].Value}' cannot be converted to {conversion.Groups["type"].Value}.";
        }

        return Ended($"{exception.GetType().Name}: {Mask(exception.Message, values)}");
    }

    // Others follow in the same line, or what it means for the service.
    private static string Ended(string text) => text.Length == 0 || text[^1] is '.' or '?' or '!' ? text : text + ".";

    private static string Mask(string message, IEnumerable<string> values)
    {
        foreach (string value in values.Where(v => v.Length >= ValueLengthMin).OrderByDescending(v => v.Length))
        {
            message = Mask(message, value);
        }

        return message;
    }

    // A short value that is a part of a word of the message is most likely that word: 'be' in 'between'. Secrets are longer.
    private static string Mask(string message, string value)
    {
        var masked = new StringBuilder(message.Length);
        int from = 0;
        for (int at; (at = message.IndexOf(value, from, StringComparison.OrdinalIgnoreCase)) >= 0; from = at + value.Length)
        {
            bool isMasked = value.Length >= HiddenLengthMin || !IsPartOfWord(message, at, value.Length);
            masked.Append(message, from, at - from).Append(isMasked ? "***" : message.AsSpan(at, value.Length));
        }

        return masked.Append(message, from, message.Length - from).ToString();
    }

    private static bool IsPartOfWord(string message, int at, int length) =>
        (at > 0 && char.IsLetterOrDigit(message[at - 1]) && char.IsLetterOrDigit(message[at]))
        || (at + length < message.Length && char.IsLetterOrDigit(message[at + length - 1]) && char.IsLetterOrDigit(message[at + length]));

    [GeneratedRegex(
        "^DataAnnotation validation failed for '[^']*' members: '(?<members>[^']*)' with the error: '(?<error>.*)'\\.$",
        RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Annotation();

    [GeneratedRegex(@"at '(?<path>[^']*)' to type '(?<type>[^']*)'", RegexOptions.RightToLeft | RegexOptions.CultureInvariant)]
    private static partial Regex Conversion();
}
