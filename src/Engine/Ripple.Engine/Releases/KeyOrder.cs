namespace Ripple.Engine.Releases;

/// <summary>
/// The order of keys in headers, states and stores: by their UTF-8 bytes. This is the order of code points, unlike
/// <see cref="StringComparer.Ordinal"/>, which compares UTF-16 units and so puts characters beyond the basic plane (surrogates) before
/// U+E000.
/// </summary>
internal sealed class KeyOrder : IComparer<string>
{
    private KeyOrder()
    {
    }

    /// <summary>The comparer; stateless, usable from any thread.</summary>
    public static KeyOrder Instance { get; } = new();

    /// <summary>
    /// Negative, zero or positive as the UTF-8 of <paramref name="x"/> is before, equal to or after that of <paramref name="y"/>; null is
    /// first.
    /// </summary>
    public int Compare(string? x, string? y)
    {
        if (x is null || y is null)
        {
            return (x is null ? 0 : 1) - (y is null ? 0 : 1);
        }

        int common = x.AsSpan().CommonPrefixLength(y);
        if (common == x.Length || common == y.Length)
        {
            return x.Length.CompareTo(y.Length);
        }

        return Rank(x[common]) - Rank(y[common]);
    }

    // Surrogates stand for code points above U+FFFF: rank them above the whole basic plane.
    private static int Rank(char unit) => char.IsSurrogate(unit) ? unit + 0x10000 : unit;
}
