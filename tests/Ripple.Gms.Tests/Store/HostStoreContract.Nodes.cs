using Ripple.Engine.Regions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Store;

/// <content>Nodes whose certificates were revoked.</content>
public abstract partial class HostStoreContract
{
    [Fact]
    public void Revoked_nodes_come_back_with_who_and_why_and_change_the_version_of_the_tokens()
    {
        var first = new RevokedNode(new NodeId(2, 1), "web-1", "shop", 5, "ann", "stolen");
        var second = new RevokedNode(new NodeId(1, 9), "", null, 6, "bob", "");
        using (IHostStore store = Open())
        {
            long version = store.TokensVersion;
            Must(store, new() { RevokedNodes = [first, second] });
            Assert.True(store.TokensVersion > version);
            // Who revokes it again is on the audit; the node is revoked since the first time.
            Must(store, new() { RevokedNodes = [first with { TimeUnixMicros = 7, Actor = "bob" }] });
            Assert.Equal([second, first], Read<IReadOnlyList<RevokedNode>>(store.ReadRevokedNodes));
        }

        using IHostStore again = Open();
        Assert.Equal([second, first], again.Load().RevokedNodes);
        Assert.Equal(
            [
                "bob node.revoke 00000000000000020000000000000001 (web-1): stolen",
                "bob node.revoke 00000000000000010000000000000009",
                "ann node.revoke 00000000000000020000000000000001 (web-1): stolen",
            ],
            Audit(again, 3));
        Assert.Equal(2, Read<IReadOnlyList<AuditRecord>>(d => again.ReadAudit("shop", long.MaxValue, 10, d)).Count);
    }

    [Fact]
    public void A_revoked_node_is_forgotten_once_none_of_its_certificates_can_be_good()
    {
        using IHostStore store = Open();
        Must(store, new() { RevokedNodes = [Node(1, 1_000), Node(2, 2_000)] });
        Must(store, new() { RevokedNodes = [Node(3, 1_500 + RevokedNode.KeptMicros)] });
        Assert.Equal([2UL, 3UL], Read<IReadOnlyList<RevokedNode>>(store.ReadRevokedNodes).Select(n => n.Node.Low));
        Assert.True(RevokedNode.KeptMicros > TimeSpan.FromDays(30).TotalMicroseconds);
    }

    [Fact]
    public void As_many_nodes_are_revoked_as_a_host_keeps_and_none_more()
    {
        using IHostStore store = Open();
        foreach (int[] some in Enumerable.Range(1, StoreLimits.RevokedNodesMax).Chunk(StoreLimits.BatchItemsMax))
        {
            Must(store, new() { RevokedNodes = [.. some.Select(i => Node((ulong)i, 1))] });
        }

        Refused(store, new() { RevokedNodes = [Node(1_000_000, 2)] }, "Revoke the token");
        Refused(store, new() { RevokedNodes = [new RevokedNode(default, "", null, 1, "ann", "")] }, "has no id");
        Refused(store, new() { RevokedNodes = [Node(1, 1) with { Reason = new string('a', 513) }] }, "513 characters");
        Must(store, new() { RevokedNodes = [Node(1_000_000, 2 + RevokedNode.KeptMicros)] });
        Assert.Single(Read<IReadOnlyList<RevokedNode>>(store.ReadRevokedNodes));
    }

    private static RevokedNode Node(ulong number, long timeUnixMicros) =>
        new(new NodeId(0, number), $"n{number}", null, timeUnixMicros, "ann", "");
}
