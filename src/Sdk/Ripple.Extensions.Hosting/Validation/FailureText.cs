using System.Text.RegularExpressions;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Describes why options could not be created, without the values they were created from.</summary>
internal static partial class FailureText
{
    private const int ValueLengthMin = 2;

    /// <summary>
    /// A failure without the text that data annotations wrap around it: rings carry only the first 80 bytes of a reason, which should say
    /// what is wrong.
    /// </summary>
    public static string Of(string failure, IEnumerable<string> values)
    {
        Match annotation = Annotation().Match(failure);
        return annotation.Success ? $"{annotation.Groups["members"].Value}: "
            + $"{Mask(annotation.Groups["error"].Value, values)}" : Mask(failure, values);
    }

    public static string Of(Exception exception, IEnumerable<string> values)
    {
        // The binder's message quotes the value; the path and the target type are enough.
        Match conversion = Conversion().Match(exception.Message);
        if (conversion.Success)
        {
            return $"what is at '{conversion.Groups["path"].Value}' cannot be converted to {conversion.Groups["type"].Value}.";
        }

        return $"{exception.GetType().Name}: {Mask(exception.Message, values)}";
    }

    private static string Mask(string message, IEnumerable<string> values)
    {
        foreach (string value in values.Where(v => v.Length >= ValueLengthMin).OrderByDescending(v => v.Length))
        {
            message = message.Replace(value, "***", StringComparison.OrdinalIgnoreCase);
        }

        return message;
    }

    [GeneratedRegex(
        "^DataAnnotation validation failed for '[^']*' members: '(?<members>[^']*)' with the error: '(?<error>.*)'\\.$",
        RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Annotation();

    [GeneratedRegex(@"at '(?<path>[^']*)' to type '(?<type>[^']*)'", RegexOptions.RightToLeft | RegexOptions.CultureInvariant)]
    private static partial Regex Conversion();
}
