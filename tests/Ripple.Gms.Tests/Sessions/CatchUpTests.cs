using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>How a node that is behind is brought to the newest release: one by one while it is near and on this chain.</summary>
public sealed class CatchUpTests
{
    /// <summary>So little that only the newest release is kept for the streams: all else comes from the store.</summary>
    private static readonly GmsOptions StoreOnly = new() { RecentBytesMax = 1 };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_is_little_behind_is_sent_what_it_lacks_release_by_release(bool isFromStore)
    {
        var rig = new HostRig(isFromStore ? StoreOnly : null);
        PublishResult[] releases = [.. Enumerable.Range(0, 5).Select(_ => rig.Publish())];
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[1])] });
        MessageType[] expected =
        [
            MessageType.JoinAccepted,
            .. Enumerable.Repeat(MessageType.CatchUpRelease, 3),
            MessageType.CatchUpEnd,
        ];
        Assert.Equal(expected, node.Types);
        Assert.Equal(releases[2..].Select(r => r.Id), Headers(node).Select(h => h.Id));
        Assert.All(node.All<CatchUpRelease>(), c => Assert.Equal(HostRig.ShopTopic, c.Topic));
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 5), node.Only<CatchUpEnd>());
        Assert.Equal((1, 0), (rig.Counters.CatchUps, rig.Counters.Snapshots));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_holds_nothing_is_sent_all_from_the_first_release(bool isFromStore)
    {
        var rig = new HostRig(isFromStore ? StoreOnly : null);
        PublishResult[] releases = [.. Enumerable.Range(0, 3).Select(_ => rig.Publish())];
        NodeRig node = rig.Join(1);
        Assert.Equal(releases.Select(r => r.Id), Headers(node).Select(h => h.Id));
        Assert.Equal(MessageType.CatchUpEnd, node.Types[^1]);
        Assert.Equal(0, rig.Counters.Snapshots);
    }

    [Fact]
    public void A_release_travels_with_its_signature_and_its_small_values_also_from_the_store()
    {
        var rig = new HostRig(StoreOnly);
        rig.Publish(HostRig.Shop, ("a.bin", [1, 2, 3]));
        rig.Publish();
        NodeRig node = rig.Join(1);
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(node.All<CatchUpRelease>().First().Message.Span, out ReleaseMessage? message));
        Assert.NotNull(message!.Signature);
        Assert.Equal([1, 2, 3], Assert.Single(message.Bodies)!.Value.ToArray());
    }

    [Fact]
    public void Who_holds_the_newest_is_sent_nothing()
    {
        var rig = new HostRig();
        PublishResult newest = rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [Held(newest)] });
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, newest.Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted], node.Types);
        Assert.Equal(0, rig.Counters.CatchUps);
    }

    [Fact]
    public void Where_nothing_was_released_nothing_is_sent()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 0, 0, default));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted], node.Types);
    }

    [Fact]
    public void Each_application_of_the_interest_is_brought_forward_by_itself()
    {
        var rig = new HostRig();
        PublishResult shop = rig.Publish();
        PublishResult cart = rig.Publish(HostRig.Cart, ("a.bin", [1]));
        NodeRig node = rig.Join(1, j => j with { Interest = [HostRig.Cart], Held = [Held(shop)] });
        Assert.Equal([MessageType.JoinAccepted, MessageType.CatchUpRelease, MessageType.CatchUpEnd], node.Types);
        Assert.Equal(cart.Id, Assert.Single(Headers(node)).Id);
        Assert.Equal(new CatchUpEnd(HostRig.CartTopic, 1, 1), node.Only<CatchUpEnd>());
    }

    [Fact]
    public void A_member_that_asks_is_brought_forward_from_what_it_says()
    {
        var rig = new HostRig();
        PublishResult first = rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [Held(first)] });
        rig.Publish();
        rig.Publish();
        node.Forget();
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([2ul, 3ul], Headers(node).Select(h => h.Release));
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 3), node.Only<CatchUpEnd>());
    }

    [Fact]
    public void Who_asks_again_while_it_is_brought_forward_gets_it_once()
    {
        var rig = new HostRig(StoreOnly);
        PublishResult first = rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [Held(first)] });
        rig.Publish();
        rig.Publish();
        node.Forget();
        for (int i = 0; i < 3; i++)
        {
            node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        }

        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.CatchUpRelease, MessageType.CatchUpRelease, MessageType.CatchUpEnd], node.Types);
        // And when that came to its end, once more.
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(2, node.All<CatchUpEnd>().Count());
    }

    [Fact]
    public void What_is_committed_on_the_way_is_sent_too_before_the_end()
    {
        var rig = new HostRig();
        PublishResult first = rig.Publish();
        NodeRig node = rig.Join(1, j => j with { Held = [Held(first)] });
        for (int i = 0; i < 6; i++)
        {
            rig.Publish(HostRig.Shop, ("a.bin", Bytes(i, 60_000)));
        }

        node.Forget();
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        rig.Deliver();
        // More than the connection takes at once.
        node.IsHeldUp = true;
        rig.Publish();
        Assert.Empty(node.Types);
        node.IsHeldUp = false;
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(Enumerable.Range(2, 7).Select(i => (ulong)i), Headers(node).Select(h => h.Release));
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 8), node.Only<CatchUpEnd>());
    }

    [Fact]
    public void The_store_is_read_in_pages()
    {
        var rig = new HostRig(StoreOnly);
        PublishResult[] releases = [.. Enumerable.Range(0, 8).Select(i => rig.Publish(HostRig.Shop, ("a.bin", Bytes(i, 100_000))))];
        NodeRig node = rig.Join(1, j => j with { Held = [Held(releases[0])] });
        Assert.Equal(releases[1..].Select(r => r.Id), Headers(node).Select(h => h.Id));
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 8), node.Only<CatchUpEnd>());
        // 256 KiB a page: releases 1 and 2, of which the first is only compared; 3 and 4; 5 and 6; 7.
        // The newest is still kept for the streams.
        Assert.Equal((4, 0), (rig.Counters.CatchUps, rig.Counters.Snapshots));
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void A_node_may_ask_only_for_applications_of_its_interest()
    {
        var rig = new HostRig();
        rig.Publish(HostRig.Cart, ("a.bin", [1]));
        NodeRig node = rig.Join(1);
        node.Send(new CatchUpRequest(HostRig.CartTopic, 0, 0, default));
        node.Send(new CatchUpRequest(99, 0, 0, default));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.JoinAccepted], node.Types);
        Assert.Equal(2, rig.Counters.ControlRefused);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void While_the_store_is_busy_nothing_is_sent_and_who_asks_again_is_served()
    {
        // Whoever has so many reads in progress that the store's queue is full.
        var unlimited = new CallLimits { ReadsMax = 16_384, ReadsPerConnectionMax = 8_192 };
        var rig = new HostRig(StoreOnly with { Limits = HostLimits.Default with { Calls = unlimited } });
        PublishResult first = rig.Publish();
        NodeRig crowd = rig.Connect(2);
        NodeRig node = rig.Join(1, j => j with { Held = [Held(first)] });
        rig.Publish();
        rig.Publish();
        node.Forget();
        // One that runs, and as many as may wait behind it.
        for (uint i = 0; i <= 4_096; i++)
        {
            crowd.Send(new History(i, HostRig.Cart, 0, 1));
        }

        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Empty(node.Types);
        Assert.Null(node.ClosedReason);
        node.Send(new CatchUpRequest(HostRig.ShopTopic, 1, 1, first.Id));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([MessageType.CatchUpRelease, MessageType.CatchUpRelease, MessageType.CatchUpEnd], node.Types);
    }

    private static HeldState Held(PublishResult release) => new(HostRig.Shop, release.Generation, release.Release, release.Id);

    private static byte[] Bytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static List<ReleaseHeader> Headers(NodeRig node) => [.. node.All<CatchUpRelease>().Select(c =>
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(c.Message.Span, out ReleaseMessage? message));
        return message!.Header;
    })];
}
