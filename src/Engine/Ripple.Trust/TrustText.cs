namespace Ripple.Trust;

/// <summary>
/// The character sets for text in certificates and connection strings. Deliberately small, so nothing ever needs escaping. Thread-safe.
/// </summary>
public static class TrustText
{
    /// <summary>Maximum length of an application's name, in characters.</summary>
    public const int ApplicationLengthMax = 100;

    /// <summary>Maximum length of a node's, host's, zone's or label's name, in characters.</summary>
    public const int NameLengthMax = 64;

    /// <summary>The rule for application names, for error messages.</summary>
    public const string ApplicationRule = "1 to 100 of a-z 0-9 . _ -, starting with a letter or digit";

    /// <summary>The rule for other names, for error messages.</summary>
    public const string NameRule = "1 to 64 of A-Z a-z 0-9 . _ -, starting with a letter or digit";

    /// <summary>Whether the text consists of exactly <paramref name="length"/> lower-case hexadecimal digits.</summary>
    public static bool IsLowerHex(ReadOnlySpan<char> text, int length)
    {
        if (text.Length != length)
        {
            return false;
        }

        foreach (char c in text)
        {
            if (!char.IsAsciiHexDigitLower(c))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the text follows <see cref="ApplicationRule"/>.</summary>
    public static bool IsApplication(ReadOnlySpan<char> text)
    {
        if (text.Length is 0 or > ApplicationLengthMax || !(char.IsAsciiLetterLower(text[0]) || char.IsAsciiDigit(text[0])))
        {
            return false;
        }

        foreach (char c in text)
        {
            if (!(char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-'))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the text follows <see cref="NameRule"/>.</summary>
    public static bool IsName(ReadOnlySpan<char> text)
    {
        if (text.Length is 0 or > NameLengthMax || !char.IsAsciiLetterOrDigit(text[0]))
        {
            return false;
        }

        foreach (char c in text)
        {
            if (!(char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-'))
            {
                return false;
            }
        }

        return true;
    }
}
