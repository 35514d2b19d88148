using System.Globalization;
using System.Management.Automation;
using System.Text;
using Ripple.Admin.Planning;

namespace Ripple.PowerShell.Pipeline;

/// <summary>What a user gives as a value, and what a value is shown as.</summary>
internal static class ValueText
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Adds a value to a draft: text and bytes as they are, numbers and truth as JSON writes them.</summary>
    /// <exception cref="CmdletException">It is something whose form is not plain.</exception>
    public static void Set(PublishDraft draft, string key, object? value)
    {
        switch (value is PSObject wrapped ? wrapped.BaseObject : value)
        {
            case string text:
                draft.Set(key, text);
                break;
            case byte[] bytes:
                draft.Set(key, bytes);
                break;
            case bool truth:
                draft.Set(key, truth ? "true" : "false");
                break;
            case sbyte or byte or short or ushort or int or uint or long or ulong or decimal or double or float:
                draft.Set(key, Convert.ToString(value is PSObject number ? number.BaseObject : value, CultureInfo.InvariantCulture)!);
                break;
            case var other:
                throw new CmdletException(
                    ErrorCodes.InvalidValue,
                    $"The value of '{key}' is {(other is null ? "nothing" : $"a {other.GetType().Name}")}, whose form is not plain. "
                        + $"Give text, for example from ConvertTo-Json -Depth 20, or bytes.");
        }
    }

    /// <summary>Text where the bytes are UTF-8, the bytes where they are not: what is read can be published again, byte for byte.</summary>
    public static object Of(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            return Strict.GetString(bytes.Span);
        }
        catch (DecoderFallbackException)
        {
            return bytes.ToArray();
        }
    }
}
