using System.Globalization;
using System.Management.Automation;
using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;
using Ripple.Trust;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Edits of one place, from what is typed and to what is shown.</summary>
internal static class EditText
{
    /// <summary>Longer values are cut where one line is to hold them.</summary>
    private const int ShownCharsMax = 80;

    /// <summary>Reads an edit.</summary>
    /// <exception cref="CmdletException">The pointer is none, or the value is not JSON.</exception>
    public static JsonEdit Read(Func<JsonEdit> read)
    {
        try
        {
            return read();
        }
        catch (FormatException e)
        {
            throw new CmdletException(ProblemCodes.InvalidRequest, e.Message, e);
        }
    }

    /// <summary>An edit that sets a place to a text, a number, a Boolean or null.</summary>
    /// <exception cref="FormatException">The pointer is none, or the text cannot be JSON.</exception>
    /// <exception cref="CmdletException">The value has a type without an obvious form in JSON.</exception>
    public static JsonEdit Set(string pointer, object? value, bool createsMissing)
    {
        object? plain = value is PSObject wrapped ? wrapped.BaseObject : value;
        return plain switch
        {
            null => JsonEdit.Set(pointer, "null", createsMissing),
            string text => JsonEdit.SetText(pointer, text, createsMissing),
            bool truth => JsonEdit.Set(pointer, truth ? "true" : "false", createsMissing),
            _ when IsNumber(plain) => JsonEdit.Set(
                pointer, ((IFormattable)plain).ToString(null, CultureInfo.InvariantCulture), createsMissing),
            _ => throw new CmdletException(
                ErrorCodes.InvalidValue,
                $"The value for '{pointer}' is a {plain.GetType().Name} whose form in JSON is not plain. Give its JSON with -Json, for "
                    + "example from ConvertTo-Json -Compress -Depth 20."),
        };
    }

    /// <summary>The place as a sentence names it.</summary>
    public static string Place(JsonEdit edit) => edit.Pointer.Length == 0 ? "all" : ShownText.Line(edit.Pointer);

    /// <summary>A value on one line.</summary>
    public static string Short(string? json) => json is null ? "not there"
        : json.Length <= ShownCharsMax ? ShownText.Line(json)
        : $"{ShownText.Line(json[..(char.IsHighSurrogate(json[ShownCharsMax - 1]) ? ShownCharsMax - 1 : ShownCharsMax)])}...";

    /// <summary>What is at the place and what will be: on one line if both are short, else line by line.</summary>
    public static string Difference(JsonEditOutcome outcome) => IsShort(outcome.Before) && IsShort(outcome.After)
        ? $"{Short(outcome.Before)} -> {Short(outcome.After)}"
        : string.Concat([.. Lines('-', outcome.Before), .. Lines('+', outcome.After), "\n"]);

    private static bool IsNumber(object value) => value switch
    {
        double number => double.IsFinite(number),
        float number => float.IsFinite(number),
        _ => value is sbyte or byte or short or ushort or int or uint or long or ulong or decimal,
    };

    private static bool IsShort(string? json) =>
        json is null || (json.Length <= ShownCharsMax && !json.Contains('\n', StringComparison.Ordinal));

    private static IEnumerable<string> Lines(char mark, string? json) =>
        (json ?? "not there").Split('\n').Select(l => $"\n  {mark} {ShownText.Line(l.TrimEnd('\r'))}");
}
