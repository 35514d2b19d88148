using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Trust;

namespace Ripple.Admin.Planning;

/// <summary>Describes a plan: what would change, and exactly which nodes it would reach. Contains no values.</summary>
public static class PlanText
{
    /// <summary>One line for display that names every key and every node.</summary>
    public static string Describe(PublishPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return $"{plan.Application}, after release {plan.BaseRelease.ToString(CultureInfo.InvariantCulture)}: "
            + $"{Changes(plan.Changes)}; reaches {Nodes(plan.Nodes)}";
    }

    /// <summary>The keys and the kind of change to each, sorted by key.</summary>
    public static string Changes(IReadOnlyList<KeyChangeInfo> changes)
    {
        ArgumentNullException.ThrowIfNull(changes);
        return changes.Count == 0
            ? "no key changes"
            : string.Join(", ", changes.OrderBy(c => c.Key, StringComparer.Ordinal).Select(c => $"{ShownText.Line(c.Key)} {Word(c.Kind)}"));
    }

    /// <summary>The nodes with their zones, sorted by name.</summary>
    public static string Nodes(IReadOnlyList<NodeName> nodes)
    {
        ArgumentNullException.ThrowIfNull(nodes);
        if (nodes.Count == 0)
        {
            return "no node now";
        }

        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{nodes.Count} {(nodes.Count == 1 ? "node" : "nodes")}: ");
        return text.AppendJoin(
            ", ", nodes.OrderBy(n => n.Name, StringComparer.Ordinal).ThenBy(n => n.NodeId, StringComparer.Ordinal).Select(Name)).ToString();
    }

    private static string Name(NodeName node) => ShownText.Line(node.Zone.Length == 0 ? node.Name : $"{node.Name} ({node.Zone})");

    private static string Word(KeyChangeKind kind) => kind switch
    {
        KeyChangeKind.Added => "added",
        KeyChangeKind.Changed => "changed",
        KeyChangeKind.Removed => "removed",
        _ => "set",
    };
}
