namespace Ripple.Gms.Frontier.Predicates;

/// <summary>A bound operator. Interpreted; does not allocate after binding.</summary>
internal sealed class BoundOperator(OperatorNode node, BoundCount? count, BoundValue[] arguments) : BoundValue
{
    private int _valueCount;
    private int _k;

    /// <summary>The argument that was short when all must have a release; it is looked at first.</summary>
    private int _shortAt;

    /// <summary>One value, or none once all members under it are discounted: it then drops out of the enclosing operator.</summary>
    public override int Count => _valueCount > 0 ? 1 : 0;

    /// <summary>Why the k is invalid now; null when it is between 1 and the number of values.</summary>
    public PredicateError? Problem { get; private set; }

    public override void Discount(in Discounting now)
    {
        _valueCount = 0;
        foreach (BoundValue argument in arguments)
        {
            argument.Discount(now);
            _valueCount += argument.Count;
        }

        Problem = null;
        count?.Discount(now);
        if (count is not null && _valueCount > 0)
        {
            FindK(count);
        }
    }

    public override void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch)
    {
        if (_valueCount > 0)
        {
            into[0] = Evaluate(pass, scratch);
        }
    }

    /// <summary>The value; 0 when the k is invalid, so that no release is reached. Requires at least one value.</summary>
    public ulong Evaluate(in EvaluationPass pass, Span<ulong> scratch)
    {
        if (Problem is not null)
        {
            return 0;
        }

        Span<ulong> values = scratch[.._valueCount];
        Span<ulong> rest = scratch[_valueCount..];
        int at = 0;
        foreach (BoundValue argument in arguments)
        {
            argument.Gather(pass, values[at..], rest);
            at += argument.Count;
        }

        return node.Operator switch
        {
            PredicateOperator.Min => Least(values),
            PredicateOperator.Max => Greatest(values),
            PredicateOperator.KthMin => OrderStatistic.Smallest(values, _k - 1),
            _ => OrderStatistic.Smallest(values, values.Length - _k),
        };
    }

    /// <inheritdoc/>
    public override int CountAt(ref ReleaseProbe probe) => _valueCount > 0 && Lacking(ref probe) == 0 ? 1 : 0;

    /// <inheritdoc/>
    public override long LackingForAll(ref ReleaseProbe probe) => _valueCount > 0 ? Lacking(ref probe) : 0;

    /// <summary>
    /// How many values of rows must come to the release, at least, before the operator has; 0 when it has. Requires at least one value.
    /// </summary>
    public long Lacking(ref ReleaseProbe probe)
    {
        if (Problem is not null)
        {
            return long.MaxValue;
        }

        int needed = node.Operator switch
        {
            PredicateOperator.Min => _valueCount,
            PredicateOperator.Max => 1,
            PredicateOperator.KthMin => _valueCount - _k + 1,
            _ => _k,
        };
        return needed == _valueCount ? LackingOfAll(ref probe) : LackingOfSome(ref probe, needed);
    }

    private long LackingOfAll(ref ReleaseProbe probe)
    {
        for (int i = 0; i < arguments.Length; i++)
        {
            int at = (_shortAt + i) % arguments.Length;
            if (arguments[at].LackingForAll(ref probe) is > 0 and var lacking)
            {
                _shortAt = at;
                return lacking;
            }
        }

        return 0;
    }

    private long LackingOfSome(ref ReleaseProbe probe, int needed)
    {
        int missing = needed;
        foreach (BoundValue argument in arguments)
        {
            missing -= argument.CountAt(ref probe);
            if (missing <= 0)
            {
                return 0;
            }
        }

        // A value of a row may be one of each argument.
        return (missing + arguments.Length - 1) / arguments.Length;
    }

    /// <summary>Its own problem, or the first problem of a nested operator.</summary>
    public PredicateError? FindProblem()
    {
        PredicateError? found = Problem;
        for (int i = 0; found is null && i < arguments.Length; i++)
        {
            found = (arguments[i] as BoundOperator)?.FindProblem();
        }

        return found;
    }

    private static ulong Least(ReadOnlySpan<ulong> values)
    {
        ulong least = ulong.MaxValue;
        foreach (ulong value in values)
        {
            least = Math.Min(least, value);
        }

        return least;
    }

    private static ulong Greatest(ReadOnlySpan<ulong> values)
    {
        ulong greatest = 0;
        foreach (ulong value in values)
        {
            greatest = Math.Max(greatest, value);
        }

        return greatest;
    }

    private void FindK(BoundCount k)
    {
        string name = OperatorNode.NameOf(node.Operator);
        int position = node.Count!.Position;
        if (!k.TryEvaluate(out long value))
        {
            Problem = new PredicateError(
                position, $"The k of {name}, {node.Count.Describe()}, is not a number here: a division by zero, or far too large.");
        }
        else if (value < 1 || value > _valueCount)
        {
            Problem = new PredicateError(
                position,
                $"The k of {name}, {node.Count.Describe()}, is {value} and must be from 1 to {_valueCount}, the number of values.");
        }
        else
        {
            _k = (int)value;
        }
    }
}

internal enum PredicateOperator
{
    Min,

    Max,

    /// <summary>The k-th smallest.</summary>
    KthMin,

    /// <summary>The k-th greatest: the highest value that at least k of the values have reached.</summary>
    KthMax,
}

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
