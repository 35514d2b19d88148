namespace Ripple.Engine.Releases;

/// <summary>
/// The one order of keys, in headers, states and stores: by the bytes of their UTF-8. That is the order of code points, which
/// <see cref="StringComparer.Ordinal"/> breaks for characters beyond the basic plane: it compares UTF-16 units, where surrogates are below
/// U+E000.
/// </summary>
internal sealed class KeyOrder : IComparer<string>
{
    private KeyOrder()
    {
    }

    /// <summary>The comparer; without state, usable from any thread.</summary>
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

    // Surrogates stand for code points above U+FFFF: lift them over the last of the basic plane.
    private static int Rank(char unit) => char.IsSurrogate(unit) ? unit + 0x10000 : unit;
}
