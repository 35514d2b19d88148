namespace Ripple.Trust;

/// <summary>
/// The alphabets of what stands in certificates and connection strings. Small on purpose: nothing in them needs escaping anywhere. Any
/// thread.
/// </summary>
public static class TrustText
{
    /// <summary>The most characters of an application's name.</summary>
    public const int ApplicationLengthMax = 100;

    /// <summary>The most characters of a node's, host's, zone's or label's name.</summary>
    public const int NameLengthMax = 64;

    /// <summary>The rule of applications, for errors.</summary>
    public const string ApplicationRule = "1 to 100 of a-z 0-9 . _ -, starting with a letter or digit";

    /// <summary>The rule of names, for errors.</summary>
    public const string NameRule = "1 to 64 of A-Z a-z 0-9 . _ -, starting with a letter or digit";

    /// <summary>True for exactly so many hexadecimal digits, lower case.</summary>
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

    /// <summary>True for what <see cref="ApplicationRule"/> says.</summary>
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

    /// <summary>True for what <see cref="NameRule"/> says.</summary>
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
