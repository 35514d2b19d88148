using System.Diagnostics.CodeAnalysis;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>Turns a parsed predicate and a set of members into a <see cref="BoundPredicate"/>.</summary>
internal sealed class PredicateBinder
{
    private readonly SetResolver _sets;
    private readonly uint[] _slots;
    private readonly HashSet<(BoundSet Set, int Slot)> _read = [];
    private int _scratchCount;
    private int _valueCount;
    private PredicateError? _error;

    private PredicateBinder(BindingContext context, FrontierRow[] members)
    {
        _sets = new SetResolver(context, members);
        _slots = new uint[members.Length];
    }

    public static bool TryBind(
        Predicate predicate,
        OperatorNode root,
        BindingContext context,
        [NotNullWhen(true)] out BoundPredicate? bound,
        [NotNullWhen(false)] out PredicateError? error)
    {
        bound = null;
        FrontierRow[] members = Snapshot(context);
        PredicateBinder binder = new(context, members);
        if (!binder.TryBindOperator(root, out BoundOperator? boundRoot))
        {
            error = binder._error!;
            return false;
        }

        // A k is checked against the sets as written; members that leave later are handled by the wait.
        boundRoot.Discount(new Discounting(members, CountLeft: true, Version: -1));
        error = boundRoot.FindProblem();
        if (error is not null)
        {
            return false;
        }

        bound = new BoundPredicate(
            predicate, context, members, binder._slots, boundRoot, binder._scratchCount, binder._valueCount, binder._sets.RowCount);
        // Each set was looked for among the members and written down, and the operands were.
        context.Table.ValuesRead += binder._sets.AskedCount + binder._sets.RowCount + members.Length + (16L * predicate.OperandCount);
        return true;
    }

    private static FrontierRow[] Snapshot(BindingContext context)
    {
        IEnumerable<FrontierRow> bound = context.Members?.Distinct() ?? context.Table.CurrentMembers();
        FrontierRow[] members = [.. bound, .. context.Table.Externals];
        Array.Sort(members, static (a, b) =>
        {
            int byNode = a.Member.Node.CompareTo(b.Member.Node);
            return byNode != 0 ? byNode : a.Member.Incarnation.CompareTo(b.Member.Incarnation);
        });
        return members;
    }

    private bool TryBindOperator(OperatorNode node, [NotNullWhen(true)] out BoundOperator? bound)
    {
        bound = null;
        BoundCount? count = null;
        if (node.Count is not null && !TryBindCount(node.Count, out count))
        {
            return false;
        }

        var arguments = new BoundValue[node.Arguments.Count];
        for (int i = 0; i < arguments.Length; i++)
        {
            if (!TryBindValue(node.Arguments[i], out BoundValue? argument))
            {
                return false;
            }

            arguments[i] = argument;
        }

        bound = new BoundOperator(node, count, arguments);
        return true;
    }

    private bool TryBindValue(ValueNode node, [NotNullWhen(true)] out BoundValue? bound)
    {
        if (node is OperatorNode nested)
        {
            // The nested operator yields one value to the operator around it.
            _scratchCount++;
            bool isBound = TryBindOperator(nested, out BoundOperator? inner);
            bound = inner;
            return isBound;
        }

        bound = null;
        var leaf = (LevelNode)node;
        FrontierLevels levels = _sets.Table.Levels;
        int level = levels.IndexOf(leaf.Level);
        if (level < 0)
        {
            string known = string.Join(", ", FrontierLevels.Names.Concat(levels.Own));
            return Fail(leaf.LevelPosition, $"There is no level '{PredicateError.Cut(leaf.Level)}'. There are {known}.");
        }

        if (!TryBindSet(leaf.Set, out BoundSet? set))
        {
            return false;
        }

        if (set.Count == 0)
        {
            return Fail(leaf.Set.Position, _sets.DescribeEmpty(leaf.Set));
        }

        int slot = FrontierRow.SlotOf(level, leaf.IsDirect);
        _scratchCount += set.Count;
        bound = new BoundLevel(set, slot);
        if (!_read.Add((set, slot)))
        {
            return true;
        }

        foreach (int row in set.Rows)
        {
            if (level < FrontierLevels.Count && _sets.IsExternal(row))
            {
                string own = levels.Own.Count == 0 ? "none yet" : string.Join(", ", levels.Own);
                return Fail(
                    leaf.LevelPosition,
                    $"An external receives nothing: it has levels of the application's own, and '{leaf.Level}' is not one. "
                        + $"There is {own}.");
            }

            _slots[row] |= 1u << slot;
        }

        return true;
    }

    private bool TryBindCount(CountNode node, [NotNullWhen(true)] out BoundCount? bound)
    {
        bound = null;
        switch (node)
        {
            case SizeOfNode size:
                if (!TryBindSet(size.Set, out BoundSet? set))
                {
                    return false;
                }

                bound = new BoundCount(node, set, null, null);
                return true;
            case ArithmeticNode arithmetic:
                if (!TryBindCount(arithmetic.Left, out BoundCount? left) || !TryBindCount(arithmetic.Right, out BoundCount? right))
                {
                    return false;
                }

                bound = new BoundCount(node, null, left, right);
                return true;
            default:
                bound = new BoundCount(node, null, null, null);
                return true;
        }
    }

    private bool TryBindSet(SetNode node, [NotNullWhen(true)] out BoundSet? set)
    {
        if (_sets.TryResolve(node, out set, out PredicateError? error))
        {
            _valueCount += set.Rows.Length;
            return true;
        }

        _error = error;
        return false;
    }

    private bool Fail(int position, string message)
    {
        _error = new PredicateError(position, message);
        return false;
    }
}

/// <summary>The members and settings that a predicate is bound to.</summary>
internal sealed record BindingContext
{
    /// <summary>The application's table.</summary>
    public required FrontierTable Table { get; init; }

    /// <summary>The members, from that table, in any order; null for all that have neither left nor failed at binding.</summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>The zone of the evaluating host, for $MYWNODE and $MYAZWNODES; null when it has none.</summary>
    public string? Zone { get; init; }

    /// <summary>
    /// True when members that left or failed keep counting with their last values. Default false: they are discounted, that is, removed
    /// from every set, including the sets that SIZEOF counts.
    /// </summary>
    public bool CountLeft { get; init; }
}
