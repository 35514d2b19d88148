using Ripple.Admin.Contracts;
using Ripple.Admin.Planning;

namespace Ripple.Admin.Tests.Planning;

/// <summary>A plan in words names every key and every node.</summary>
public sealed class PlanTextTests
{
    [Fact]
    public void Plan_names_keys_and_nodes_in_order()
    {
        var plan = new PublishPlan(
            "orders",
            41,
            [
                new("b.json", KeyChangeKind.Changed, null, null),
                new("a", KeyChangeKind.Added, null, null),
                new("c", KeyChangeKind.Removed, null, null),
            ],
            [new("2", "web-2", "eu-1", "orders"), new("1", "web-1", "", "orders")]);

        Assert.Equal(
            "orders, after release 41: a added, b.json changed, c removed; reaches 2 nodes: web-1, web-2 (eu-1)", PlanText.Describe(plan));
    }

    [Fact]
    public void Plan_says_when_it_reaches_nobody() =>
        Assert.Equal(
            "orders, after release 0: no key changes; reaches no node now", PlanText.Describe(new PublishPlan("orders", 0, [], [])));

    [Fact]
    public void Plan_names_every_node_however_many()
    {
        NodeName[] nodes = [.. Enumerable.Range(0, 2_000).Select(i => new NodeName($"{i}", $"node-{i}", "z", "orders"))];

        string text = PlanText.Nodes(nodes);

        Assert.StartsWith("2000 nodes: ", text, StringComparison.Ordinal);
        Assert.All(nodes, n => Assert.Contains($"{n.Name} (z)", text, StringComparison.Ordinal));
    }
}
