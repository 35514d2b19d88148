using System.Collections;
using System.Globalization;
using System.Management.Automation;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Values of dimensions as cmdlets take them: <c>@{ price = 15.5; at = Get-Date }</c>.</summary>
internal static class PointText
{
    /// <summary>The values as text, by dimension.</summary>
    /// <exception cref="CmdletException">A value is neither a number, nor a time, nor text.</exception>
    public static Dictionary<string, string> Of(IDictionary point)
    {
        var texts = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (DictionaryEntry entry in point)
        {
            string name = Convert.ToString(entry.Key, CultureInfo.InvariantCulture) ?? string.Empty;
            texts[name] = Of(name, entry.Value is PSObject wrapped ? wrapped.BaseObject : entry.Value);
        }

        return texts;
    }

    private static string Of(string name, object? value) => value switch
    {
        string text => text,
        DateTime time => Of(new DateTimeOffset(time)),
        DateTimeOffset time => Of(time),
        sbyte or byte or short or ushort or int or uint or long or ulong or decimal or double or float =>
            Convert.ToString(value, CultureInfo.InvariantCulture)!,
        _ => throw new CmdletException(
            ErrorCodes.InvalidValue,
            $"The value of '{name}' is {(value is null ? "nothing" : $"a {value.GetType().Name}")}. Give a number, a time, or text."),
    };

    private static string Of(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFZ", CultureInfo.InvariantCulture);
}
