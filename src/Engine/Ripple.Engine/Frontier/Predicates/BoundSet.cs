namespace Ripple.Engine.Frontier.Predicates;

/// <summary>
/// The elements of a set: rows, or groups of rows whose value is the lowest of their rows. Elements that are not discounted are kept
/// separately, in arrays allocated once.
/// </summary>
internal sealed class BoundSet
{
    private readonly int[] _rows;
    private readonly int[] _ends;
    private readonly int[] _countedRows;
    private readonly int[] _countedEnds;

    /// <param name="rows">The rows of all elements, one element after another.</param>
    /// <param name="ends">For each element, the end index of its rows.</param>
    public BoundSet(int[] rows, int[] ends)
    {
        _rows = rows;
        _ends = ends;
        _countedRows = [.. rows];
        _countedEnds = [.. ends];
        Count = ends.Length;
    }

    /// <summary>The number of elements that count; a group counts while one of its rows does.</summary>
    public int Count { get; private set; }

    public ReadOnlySpan<int> Rows => _rows;

    public void Discount(FrontierRow[] members, bool countLeft)
    {
        Count = 0;
        int kept = 0;
        int at = 0;
        foreach (int end in _ends)
        {
            int keptBefore = kept;
            for (; at < end; at++)
            {
                if (countLeft || !members[_rows[at]].IsGone)
                {
                    _countedRows[kept++] = _rows[at];
                }
            }

            if (kept > keptBefore)
            {
                _countedEnds[Count++] = kept;
            }
        }
    }

    /// <summary>Writes each element's value at a slot.</summary>
    public void Gather(in EvaluationPass pass, int slot, Span<ulong> into)
    {
        int at = 0;
        for (int element = 0; element < Count; element++)
        {
            ulong least = ulong.MaxValue;
            for (int end = _countedEnds[element]; at < end; at++)
            {
                least = Math.Min(least, pass.Read(_countedRows[at], slot));
            }

            into[element] = least;
        }
    }
}
