namespace Ripple.Engine.Frontier.Predicates;

/// <summary>The k-th smallest of some numbers.</summary>
internal static class OrderStatistic
{
    private const int SortBelow = 16;

    /// <summary>
    /// The number at an index, from 0, in sorted order; reorders the span. Normally linear; falls back to sorting when the pivots are bad.
    /// </summary>
    public static ulong Smallest(Span<ulong> values, int index)
    {
        int rounds = 64;
        while (values.Length > SortBelow && rounds-- > 0)
        {
            ulong pivot = MedianOfThree(values[0], values[values.Length / 2], values[^1]);
            (int less, int equal) = Partition(values, pivot);
            if (index < less)
            {
                values = values[..less];
            }
            else if (index < less + equal)
            {
                return pivot;
            }
            else
            {
                values = values[(less + equal)..];
                index -= less + equal;
            }
        }

        values.Sort();
        return values[index];
    }

    /// <summary>A three-way partition (less, equal, greater), because frontier values are mostly equal.</summary>
    private static (int Less, int Equal) Partition(Span<ulong> values, ulong pivot)
    {
        int less = 0;
        int greater = values.Length;
        int at = 0;
        while (at < greater)
        {
            ulong value = values[at];
            if (value < pivot)
            {
                (values[less], values[at]) = (value, values[less]);
                less++;
                at++;
            }
            else if (value > pivot)
            {
                greater--;
                (values[greater], values[at]) = (value, values[greater]);
            }
            else
            {
                at++;
            }
        }

        return (less, greater - less);
    }

    private static ulong MedianOfThree(ulong a, ulong b, ulong c) => Math.Max(Math.Min(a, b), Math.Min(Math.Max(a, b), c));
}
