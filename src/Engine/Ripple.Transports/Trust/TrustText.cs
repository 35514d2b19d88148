namespace Ripple.Transports.Trust;

/// <summary>The alphabets of what stands in certificates and connection strings. Small on purpose: nothing in them needs escaping anywhere.</summary>
internal static class TrustText
{
    public const int ApplicationLengthMax = 100;
    public const int NameLengthMax = 64;
    public const string ApplicationRule = "1 to 100 of a-z 0-9 . _ -, starting with a letter or digit";
    public const string NameRule = "1 to 64 of A-Z a-z 0-9 . _ -, starting with a letter or digit";

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
