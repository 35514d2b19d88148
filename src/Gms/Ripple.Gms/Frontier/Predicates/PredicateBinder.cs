using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>Turns a parsed predicate and a set of members into a <see cref="BoundPredicate"/>.</summary>
internal sealed class PredicateBinder
{
    private readonly SetResolver _sets;
    private readonly uint[] _slots;
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
        boundRoot.Discount(members, countLeft: true);
        error = boundRoot.FindProblem();
        if (error is not null)
        {
            return false;
        }

        bound = new BoundPredicate(predicate, context, members, binder._slots, boundRoot, binder._scratchCount, binder._valueCount);
        // Each operand was asked of each member, and the sets were written down.
        context.Table.ValuesRead += ((long)predicate.OperandCount * members.Length) + bound.Cost;
        return true;
    }

    private static FrontierRow[] Snapshot(BindingContext context)
    {
        if (context.Members is null)
        {
            return [.. context.Table.CurrentMembers()];
        }

        FrontierRow[] members = [.. context.Members.Distinct()];
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
        foreach (int row in set.Rows)
        {
            _slots[row] |= 1u << slot;
        }

        _scratchCount += set.Count;
        bound = new BoundLevel(set, slot);
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

/// <summary>
/// Resolves sets to their elements among the bound members. The hosts of a zone together form a WAN node. Areas are sets of zones, and a
/// zone that is in none is an area by itself.
/// </summary>
internal sealed class SetResolver
{
    private const int ZonesListedMax = 20;

    private readonly BindingContext _context;
    private readonly FrontierRow[] _members;
    private readonly List<WanNode> _wanNodes = [];

    public SetResolver(BindingContext context, FrontierRow[] members)
    {
        _context = context;
        _members = members;
        SortedDictionary<string, WanNode> byZone = new(StringComparer.Ordinal);
        for (int i = 0; i < members.Length; i++)
        {
            FrontierMember member = members[i].Member;
            if (!member.IsHost)
            {
                continue;
            }

            if (!byZone.TryGetValue(member.Zone, out WanNode? wanNode))
            {
                wanNode = new WanNode(member.Zone, []);
                byZone.Add(member.Zone, wanNode);
            }

            wanNode.Rows.Add(i);
        }

        _wanNodes.AddRange(byZone.Values);
    }

    /// <summary>The table that it is bound to.</summary>
    public FrontierTable Table => _context.Table;

    /// <summary>Resolves a set to its elements, possibly none. False when the set has no meaning here.</summary>
    public bool TryResolve(SetNode node, [NotNullWhen(true)] out BoundSet? set, [NotNullWhen(false)] out PredicateError? error)
    {
        set = null;
        var isIn = new bool[node.IsWan ? _wanNodes.Count : _members.Length];
        if (!TryMark(node, isIn, out error))
        {
            return false;
        }

        List<int> rows = [];
        List<int> ends = [];
        for (int i = 0; i < isIn.Length; i++)
        {
            if (!isIn[i])
            {
                continue;
            }

            if (node.IsWan)
            {
                rows.AddRange(_wanNodes[i].Rows);
            }
            else
            {
                rows.Add(i);
            }

            ends.Add(rows.Count);
        }

        set = new BoundSet([.. rows], [.. ends]);
        return true;
    }

    /// <summary>Explains that a set is empty and how to correct it.</summary>
    public string DescribeEmpty(SetNode node)
    {
        string text = $"{node.Describe()} has no members among the {_members.Length} of {_context.Table.Application}: ";
        return node.IsWan
            ? text + $"a WAN node is the hosts of a zone, and those with hosts are {Zones()}; "
                + "for the nodes of a zone write $ZONE(\"name\")."
            : text + "check the name (case matters), or wait until members have joined; "
                + "$ALL, $ZONE, $AREA, $HOME and $LABEL select nodes, $HOSTS and $REPLICAS hosts.";
    }

    private bool TryMark(SetNode node, bool[] isIn, [NotNullWhen(false)] out PredicateError? error)
    {
        if (node is OperandNode operand)
        {
            return TryMarkOperand(operand, isIn, out error);
        }

        var difference = (DifferenceNode)node;
        if (!TryMark(difference.First, isIn, out error))
        {
            return false;
        }

        var isRemoved = new bool[isIn.Length];
        foreach (SetNode removed in difference.Removed)
        {
            Array.Clear(isRemoved);
            if (!TryMark(removed, isRemoved, out error))
            {
                return false;
            }

            for (int i = 0; i < isIn.Length; i++)
            {
                isIn[i] &= !isRemoved[i];
            }
        }

        return true;
    }

    private bool TryMarkOperand(OperandNode operand, bool[] isIn, [NotNullWhen(false)] out PredicateError? error)
    {
        error = null;
        if (operand.Kind is OperandKind.MyWanNode or OperandKind.MyAreaWanNodes && _context.Zone is null)
        {
            string message =
                $"{operand.Describe()} needs the zone of the evaluating host, which has none; name one: $WNODE_zone or $AZ_area.";
            error = new PredicateError(operand.Position, message);
            return false;
        }

        if (operand.Kind == OperandKind.WanNodeAt && operand.Index > _wanNodes.Count)
        {
            error = new PredicateError(operand.Position, $"There is no WAN node {operand.Index}: the zones with hosts are {Zones()}.");
            return false;
        }

        for (int i = 0; i < isIn.Length; i++)
        {
            isIn[i] = operand.IsWan ? IsWanMatch(operand, i) : IsMatch(operand, _members[i].Member);
        }

        return true;
    }

    private bool IsWanMatch(OperandNode operand, int index)
    {
        WanNode wanNode = _wanNodes[index];
        return operand.Kind switch
        {
            OperandKind.AllWanNodes => true,
            OperandKind.MyWanNode => wanNode.Zone == _context.Zone,
            OperandKind.MyAreaWanNodes => AreTogether(wanNode.Zone, _context.Zone!),
            OperandKind.WanNode => wanNode.Zone == operand.Name,
            OperandKind.AreaWanNodes => IsIn(wanNode.Zone, operand.Name),
            _ => index == operand.Index - 1,
        };
    }

    /// <summary>Whether a zone is in an area: one that was defined, or the zone itself.</summary>
    private bool IsIn(string zone, string area) =>
        _context.Table.Areas.TryGetValue(area, out ImmutableArray<string> zones) ? zones.Contains(zone) : zone == area;

    /// <summary>Whether two zones are in one area.</summary>
    private bool AreTogether(string a, string b) =>
        a == b || _context.Table.Areas.Values.Any(zones => zones.Contains(a) && zones.Contains(b));

    private bool IsMatch(OperandNode operand, FrontierMember member) => operand.Kind switch
    {
        OperandKind.All => !member.IsHost,
        OperandKind.Zone => !member.IsHost && member.Zone == operand.Name,
        OperandKind.Area => !member.IsHost && IsIn(member.Zone, operand.Name),
        OperandKind.Home => !member.IsHost && member.HostName == operand.Name,
        OperandKind.Label => !member.IsHost && member.Labels.Contains(new KeyValuePair<string, string>(operand.Name, operand.Value)),
        OperandKind.Node => member.Name == operand.Name,
        OperandKind.Hosts => member.IsHost,
        _ => member is { IsHost: true, IsReplica: true },
    };

    private string Zones()
    {
        if (_wanNodes.Count == 0)
        {
            return "none";
        }

        string listed = string.Join(", ", _wanNodes.Take(ZonesListedMax).Select((node, i) => $"${i + 1} {PredicateError.Cut(node.Zone)}"));
        return _wanNodes.Count > ZonesListedMax ? $"{listed} and {_wanNodes.Count - ZonesListedMax} more" : listed;
    }

    private sealed record WanNode(string Zone, List<int> Rows);
}
