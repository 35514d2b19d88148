using System.Text.RegularExpressions;

namespace Ripple.Extensions.Hosting.Validation;

/// <summary>Says why options could not be made, without the values they were made of.</summary>
internal static partial class FailureText
{
    private const int ValueLengthMin = 2;

    public static string Of(Exception exception, IEnumerable<string> values)
    {
        // The binder's message quotes the value; where it was, and what it was to be, is enough.
        Match conversion = Conversion().Match(exception.Message);
        if (conversion.Success)
        {
            return $"what is at '{conversion.Groups["path"].Value}' cannot be converted to {conversion.Groups["type"].Value}.";
        }

        string message = exception.Message;
        foreach (string value in values.Where(v => v.Length >= ValueLengthMin).OrderByDescending(v => v.Length))
        {
            message = message.Replace(value, "***", StringComparison.OrdinalIgnoreCase);
        }

        return $"{exception.GetType().Name}: {message}";
    }

    [GeneratedRegex(@"at '(?<path>[^']*)' to type '(?<type>[^']*)'", RegexOptions.RightToLeft | RegexOptions.CultureInvariant)]
    private static partial Regex Conversion();
}
