using Ripple.Admin.Following;
using Ripple.Admin.Holders;
using static Ripple.Admin.Tests.FakeHost;

namespace Ripple.Admin.Tests.Holders;

/// <summary>A look and a wait say the same of a node.</summary>
public sealed class NodeStandingsTests
{
    [Theory]
    [InlineData(7, 0, "Holding")]
    [InlineData(8, 7, "Holding")]
    [InlineData(6, 0, "Behind")]
    [InlineData(6, 6, "Behind")]
    [InlineData(6, 7, "Rejected")]
    [InlineData(6, 8, "Rejected")]
    [InlineData(7, 8, "Holding")]
    public void A_node_stands_to_a_release_as_it_applied_and_rejected(ulong applied, ulong rejected, string expected) =>
        Assert.Equal(expected, Node("a", applied, rejected: rejected).StandingTo(7, FollowLevel.Applied).ToString());

    [Theory]
    [InlineData("Received", 7, 0, 0, "Holding")]
    [InlineData("Received", 6, 0, 0, "Behind")]
    [InlineData("Received", 7, 0, 7, "Rejected")]
    [InlineData("Persisted", 7, 6, 0, "Behind")]
    [InlineData("Persisted", 7, 7, 0, "Holding")]
    [InlineData("Persisted", 7, 7, 7, "Rejected")]
    [InlineData("Applied", 7, 7, 0, "Behind")]
    public void The_level_decides_what_is_enough_and_a_rejection_counts_at_each(
        string level, ulong received, ulong persisted, ulong rejected, string expected) =>
        Assert.Equal(expected, Node("a", 5, received, persisted, rejected).StandingTo(7, Enum.Parse<FollowLevel>(level)).ToString());

    [Fact]
    public async Task A_node_that_rejected_a_later_release_is_a_rejection_for_who_looks_and_for_who_waits()
    {
        using var host = new FakeHost();
        using RippleAdminClient client = host.Client();
        host.SetNodes(Node("a", 6, rejected: 8, reason: "no"), Node("b", 6), Node("c", 7));
        host.SetFrontier(8, 3);
        FakeWait wait = host.AddWait();
        wait.End(new(Contracts.WaitOutcome.TimedOut, string.Empty, 3, [], []));

        ReleaseHolders holders = await client.GetHoldersAsync("orders", 7, TestContext.Current.CancellationToken);
        FollowSnapshot? last = null;
        await foreach (FollowSnapshot snapshot in new ReleaseFollower(client).FollowAsync(
            "orders", 7, null, TestContext.Current.CancellationToken))
        {
            last = snapshot;
        }

        Assert.Equal(["a"], holders.Rejected.Select(n => n.Name));
        Assert.Equal(["a"], last!.Rejections.Select(n => n.Name));
        Assert.Equal(["b"], holders.Behind.Select(n => n.Name));
        Assert.Equal(["b"], last.Laggards.Select(n => n.Name));
    }
}
