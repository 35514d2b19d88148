using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Ripple.Gms.Frontier.Predicates;

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
    // Found by text and never walked through.
    private readonly Dictionary<string, BoundSet> _resolved = new(StringComparer.Ordinal);

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

    /// <summary>Whether a bound member is an external.</summary>
    public bool IsExternal(int member) => _members[member].Member.IsExternal;

    /// <summary>The table that it is bound to.</summary>
    public FrontierTable Table => _context.Table;

    /// <summary>How often a member was asked whether it is one of an operand's.</summary>
    public long AskedCount { get; private set; }

    /// <summary>The rows of all sets that were resolved.</summary>
    public long RowCount { get; private set; }

    /// <summary>Resolves a set to its elements, possibly none; one text is one set. False when it has no meaning here.</summary>
    public bool TryResolve(SetNode node, [NotNullWhen(true)] out BoundSet? set, [NotNullWhen(false)] out PredicateError? error)
    {
        error = null;
        var text = new StringBuilder();
        node.Write(text);
        if (_resolved.TryGetValue(text.ToString(), out set))
        {
            return true;
        }

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
        RowCount += rows.Count;
        _resolved.Add(text.ToString(), set);
        return true;
    }

    /// <summary>Explains that a set is empty and how to correct it.</summary>
    public string DescribeEmpty(SetNode node)
    {
        string text = $"{node.Describe()} has no members among the {_members.Length} of {_context.Table.Application}: ";
        return node.IsWan
            ? text + $"a WAN node is the hosts of a zone, and those with hosts are {Zones()}; "
                + "for the nodes of a zone write $ZONE(\"name\")."
            : node is OperandNode { Kind: OperandKind.External } ? text + $"the externals are {Externals()}."
            : text + "check the name (case matters), and that members were there; "
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

        AskedCount += isIn.Length;
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
        OperandKind.All => member.IsNode,
        OperandKind.Zone => member.IsNode && member.Zone == operand.Name,
        OperandKind.Area => member.IsNode && IsIn(member.Zone, operand.Name),
        OperandKind.Home => member.IsNode && member.HostName == operand.Name,
        OperandKind.Label => member.IsNode && member.Labels.Contains(new KeyValuePair<string, string>(operand.Name, operand.Value)),
        OperandKind.Node => !member.IsExternal && member.Name == operand.Name,
        OperandKind.External => member.IsExternal && member.Name == operand.Name,
        OperandKind.Hosts => member.IsHost,
        _ => member is { IsHost: true, IsReplica: true },
    };

    private string Externals()
    {
        string listed = string.Join(", ", Table.Externals.Select(r => r.Member.Name));
        return listed.Length == 0 ? "none: an administrator defines them" : listed;
    }

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
