using System.Globalization;
using System.Text;

namespace Ripple.Engine.Releases;

/// <summary>
/// The rules for application names, keys, actors and notes. Every check returns null when the text is valid, otherwise the error and what
/// to do about it.
/// </summary>
public static class ReleaseNames
{
    internal static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Checks an application's name: 1 to 100 characters of <c>a-z 0-9 . _ -</c>, starting with a letter or digit.</summary>
    public static string? CheckApplication(string? application)
    {
        if (string.IsNullOrEmpty(application))
        {
            return "The application has no name. Give 1 to 100 characters of a-z 0-9 . _ -, starting with a letter or digit.";
        }

        if (application.Length > ReleaseLimits.ApplicationCharsMax)
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"The application name has {application.Length} characters, {ReleaseLimits.ApplicationCharsMax} are allowed. Shorten it.");
        }

        for (int i = 0; i < application.Length; i++)
        {
            char c = application[i];
            if (!(char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || (i > 0 && (c is '.' or '_' or '-'))))
            {
                return string.Create(CultureInfo.InvariantCulture,
                    $"The application name has {Describe(c)} at position {i + 1}. Use a-z 0-9 . "
                        + $"_ - only, starting with a letter or digit.");
            }
        }

        return null;
    }

    /// <summary>Checks a key: 1 to 512 bytes of UTF-8 without control characters.</summary>
    public static string? CheckKey(string? key) =>
        string.IsNullOrEmpty(key)
            ? "The key is empty. Give 1 to 512 bytes of UTF-8 without control characters."
            : CheckText("key", key, ReleaseLimits.KeyBytesMax, lines: false);

    /// <summary>Checks an actor: up to 255 bytes of UTF-8 without control characters; empty is allowed.</summary>
    public static string? CheckActor(string? actor) => CheckText("actor", actor ?? "", ReleaseLimits.ActorBytesMax, lines: false);

    /// <summary>Checks a note: up to 2,048 bytes of UTF-8 without control characters except tab and line ends; empty is allowed.</summary>
    public static string? CheckNote(string? note) => CheckText("note", note ?? "", ReleaseLimits.NoteBytesMax, lines: true);

    private static string? CheckText(string what, string text, int bytesMax, bool lines)
    {
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (char.IsControl(c) && !(lines && (c is '\t' or '\n' or '\r')))
            {
                return string.Create(
                    CultureInfo.InvariantCulture, $"The {what} has a control character (U+{(int)c:X4}) at position {i + 1}. Remove it.");
            }

            if (char.IsSurrogate(c))
            {
                if (!char.IsHighSurrogate(c) || i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1]))
                {
                    return string.Create(CultureInfo.InvariantCulture,
                        $"The {what} has half of a surrogate pair (U+{(int)c:X4}) at position {i + 1}. Remove it.");
                }

                i++;
            }
        }

        int bytes = StrictUtf8.GetByteCount(text);
        return bytes > bytesMax
            ? string.Create(CultureInfo.InvariantCulture, $"The {what} has {bytes} bytes of UTF-8, {bytesMax} are allowed. Shorten it.")
            : null;
    }

    private static string Describe(char c) =>
        c is > ' ' and < '\u007F' ? $"'{c}'" : string.Create(CultureInfo.InvariantCulture, $"U+{(int)c:X4}");
}
