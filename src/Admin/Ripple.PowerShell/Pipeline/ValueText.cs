using System.Globalization;
using System.Management.Automation;
using System.Text;
using Ripple.Admin.Planning;

namespace Ripple.PowerShell.Pipeline;

/// <summary>Converts between user-supplied values and stored bytes.</summary>
internal static class ValueText
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Adds a value to a draft: text and bytes unchanged, numbers and Booleans as written in JSON.</summary>
    /// <exception cref="CmdletException">The value has a type without an obvious text form.</exception>
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

    /// <summary>
    /// A string if the bytes are UTF-8, otherwise the bytes, so that a value that was read can be published again byte for byte.
    /// </summary>
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
