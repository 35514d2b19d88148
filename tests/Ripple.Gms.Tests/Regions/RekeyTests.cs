using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Wire;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Who is expelled takes nothing along that opens what comes after.</summary>
public sealed class RekeyTests
{
    [Fact]
    public void An_expulsion_removes_the_member_and_gives_those_who_stay_another_key()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig goes = rig.Join(2, tokenId: HostRig.ShopToken);
        NodeRig elsewhere = rig.Join(3, j => j with { Zone = "west" });
        stays.Forget();
        rig.Revoke(HostRig.ShopToken);
        rig.RunAlive(HostRig.SecondNs, stays, elsewhere);
        Assert.Equal("its token shop-only is revoked, expired, or no longer good for what it takes", goes.ClosedReason);
        RegionRekey rekey = stays.Only<RegionRekey>();
        Assert.Equal(stays.Accepted!.View.RegionId, rekey.RegionId);
        Assert.Equal(HostRig.FirstEpoch + 1, rekey.KeyEpoch);
        Assert.NotEqual(stays.Accepted.Key.ToArray(), rekey.Key.ToArray());
        Assert.Equal([2u], stays.Only<ViewChange>().RemovedSlots);
        Assert.Empty(goes.All<RegionRekey>());
        Assert.Empty(elsewhere.All<RegionRekey>());
        Assert.Equal((1, 0), (rig.Counters.Expulsions, rig.Counters.Failures));
        Assert.Equal((byte)3, rig.RowOf(2).State);

        // What comes is sealed with the new key, which who went has not; and who went is not heard with the old one.
        rig.Publish();
        Assert.Single(stays.Streamed());
        Assert.Equal(HostRig.FirstEpoch + 1, stays.Packets()[^1].KeyEpoch);
        Assert.Empty(goes.Streamed());
        goes.SendDatagram(FrameType.GroupProbe, []);
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal((1, 0), (rig.Counters.DatagramsRefused, rig.Counters.FramesRefused));
        // Who joins now gets the new key at once.
        NodeRig joins = rig.Join(4);
        Assert.Equal(rekey.KeyEpoch, joins.Accepted!.KeyEpoch);
        Assert.Equal(rekey.Key.ToArray(), joins.Accepted.Key.ToArray());
    }

    [Fact]
    public void A_member_goes_when_its_token_is_good_no_more_for_one_application_of_its_interest()
    {
        var rig = new HostRig();
        rig.Grant(HostRig.ShopToken, HostRig.Cart);
        rig.Run(HostRig.SecondNs);
        NodeRig both = rig.Join(1, j => j with { Interest = [HostRig.Cart] }, tokenId: HostRig.ShopToken);
        NodeRig shop = rig.Join(2, tokenId: HostRig.ShopToken);
        rig.Withdraw(HostRig.ShopToken, HostRig.Cart);
        rig.RunAlive(HostRig.SecondNs, both, shop);
        Assert.Equal("its token shop-only is revoked, expired, or no longer good for what it takes", both.ClosedReason);
        Assert.Null(shop.ClosedReason);
    }

    [Fact]
    public void A_node_that_is_revoked_goes_alone_and_does_not_join_again_with_its_token()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1, tokenId: HostRig.ShopToken);
        NodeRig goes = rig.Join(2, tokenId: HostRig.ShopToken);
        stays.Forget();

        rig.RevokeNode(2);
        rig.RunAlive(HostRig.SecondNs, stays);

        Assert.Equal("the node was revoked", goes.ClosedReason);
        Assert.Null(stays.ClosedReason);
        Assert.Equal(HostRig.FirstEpoch + 1, stays.Only<RegionRekey>().KeyEpoch);
        Assert.Equal(1, rig.Counters.Expulsions);
        NodeRig back = rig.Connect(2, tokenId: HostRig.ShopToken);
        rig.RunAlive(HostRig.SecondNs, stays);
        Assert.NotNull(back.ClosedReason);
        Assert.Equal(2, rig.Join(3, tokenId: HostRig.ShopToken).Accepted!.View.Members.Length);
    }

    [Fact]
    public void A_connection_that_did_not_join_goes_with_its_token_and_changes_no_key()
    {
        var rig = new HostRig();
        NodeRig member = rig.Join(1);
        NodeRig unjoined = rig.Connect(2, tokenId: HostRig.ShopToken);
        rig.Revoke(HostRig.ShopToken);
        rig.RunAlive(HostRig.SecondNs, member);
        Assert.NotNull(unjoined.ClosedReason);
        Assert.Empty(member.All<RegionRekey>());
        Assert.Equal(0, rig.Counters.Expulsions);
    }

    [Fact]
    public void Soon_after_members_left_or_failed_the_key_changes_once_for_all_of_them()
    {
        var rig = new HostRig(new GmsOptions { KeyChangeNsMin = 2 * HostRig.SecondNs });
        NodeRig stays = rig.Join(1);
        rig.Join(2).Send(new Leave("enough"));
        rig.RunAlive(HostRig.SecondNs, stays);
        rig.Join(3).Break("its cable was pulled");
        rig.RunAlive(HostRig.SecondNs - (100 * HostRig.MillisecondNs), stays);
        Assert.Empty(stays.All<RegionRekey>());

        rig.RunAlive(200 * HostRig.MillisecondNs, stays);
        Assert.Equal(HostRig.FirstEpoch + 1, stays.Only<RegionRekey>().KeyEpoch);
        Assert.Equal(1, rig.Counters.KeyChanges);
        rig.RunAlive(10 * HostRig.SecondNs, stays);
        Assert.Single(stays.All<RegionRekey>());
    }

    [Fact]
    public void Who_is_back_before_that_changes_no_key()
    {
        var rig = new HostRig(new GmsOptions { KeyChangeNsMin = 2 * HostRig.SecondNs });
        NodeRig stays = rig.Join(1);
        rig.Join(2).Break("its process ended");
        rig.Run(15 * HostRig.MillisecondNs);
        NodeRig back = rig.Join(2);
        rig.RunAlive(5 * HostRig.SecondNs, stays, back);
        Assert.Empty(stays.All<RegionRekey>());
        Assert.Equal(HostRig.FirstEpoch, back.Accepted!.KeyEpoch);
    }

    [Theory]
    [InlineData("revoked")]
    [InlineData("withdrawn")]
    [InlineData("node")]
    public void The_end_of_a_token_changes_the_keys_that_those_hold_who_left_with_it(string how)
    {
        // So long that nothing else changes a key in this test.
        var rig = new HostRig(new GmsOptions { KeyChangeNsMin = 1_000 * HostRig.SecondNs });
        NodeRig stays = rig.Join(1);
        NodeRig elsewhere = rig.Join(2, j => j with { Zone = "west" });
        rig.Join(3, tokenId: HostRig.ShopToken).Send(new Leave("enough"));
        rig.RunAlive(HostRig.SecondNs, stays, elsewhere);
        Assert.Empty(stays.All<RegionRekey>());

        if (how == "revoked")
        {
            rig.Revoke(HostRig.ShopToken);
        }
        else if (how == "withdrawn")
        {
            rig.Withdraw(HostRig.ShopToken, HostRig.Shop);
        }
        else
        {
            rig.RevokeNode(3);
        }

        rig.RunAlive(HostRig.SecondNs, stays, elsewhere);
        Assert.Equal(HostRig.FirstEpoch + 1, stays.Only<RegionRekey>().KeyEpoch);
        Assert.Empty(elsewhere.All<RegionRekey>());
        // Nobody who is gone holds the new one.
        rig.RunAlive(5 * HostRig.SecondNs, stays, elsewhere);
        Assert.Single(stays.All<RegionRekey>());
    }

    [Fact]
    public void A_member_that_asks_for_another_key_gets_one_and_no_more_than_the_time_between_changes_allows()
    {
        var rig = new HostRig(new GmsOptions { KeyChangeNsMin = 3 * HostRig.SecondNs });
        NodeRig node = rig.Join(1);
        NodeRig other = rig.Join(2);
        rig.RunAlive(5 * HostRig.SecondNs, node, other);
        uint epoch = HostRig.FirstEpoch;
        node.Send(new KeyRequest(node.Accepted!.View.RegionId, epoch, KeyFault.Deaf, 2));
        rig.RunAlive(100 * HostRig.MillisecondNs, node, other);
        Assert.Equal(epoch + 1, other.Only<RegionRekey>().KeyEpoch);

        // Of an old key, or of another region, it says nothing; of the new one it has to wait.
        node.Send(new KeyRequest(node.Accepted.View.RegionId, epoch, KeyFault.Deaf, 2));
        node.Send(new KeyRequest(1, epoch + 1, KeyFault.Deaf, 2));
        rig.RunAlive(5 * HostRig.SecondNs, node, other);
        Assert.Equal(1, rig.Counters.KeyChanges);
        for (int i = 0; i < 100; i++)
        {
            node.Send(new KeyRequest(node.Accepted.View.RegionId, rig.KeyEpoch, KeyFault.Worn, 1));
            rig.RunAlive(60 * HostRig.MillisecondNs, node, other);
        }

        Assert.InRange(rig.Counters.KeyChanges, 2, 4);
    }

    [Fact]
    public void The_host_changes_the_key_itself_when_it_refuses_a_members_packets()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        NodeRig liar = rig.Join(2);
        rig.RunAlive(6 * HostRig.SecondNs, node, liar);
        node.SendAggregate(new RingRound(liar.Accepted!.View));
        liar.Inject(liar.SealAs(node.Accepted!.Slot, FrameType.GroupProbe, [], number: ReplayWindow.Size + 1_000));
        for (int i = 0; i < 4; i++)
        {
            rig.RunAlive(HostRig.SecondNs, node, liar);
            node.SendAggregate(new RingRound(liar.Accepted.View));
        }

        rig.RunAlive(HostRig.SecondNs, node, liar);
        Assert.Equal(1, rig.Counters.KeyChanges);
        Assert.Equal(1, rig.Counters.Aggregates);
        node.SendAggregate(new RingRound(liar.Accepted.View));
        rig.RunAlive(10 * HostRig.MillisecondNs, node, liar);
        Assert.Equal(2, rig.Counters.Aggregates);
    }

    [Fact]
    public void Many_members_that_are_expelled_at_once_change_the_key_once()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        for (int i = 2; i <= 6; i++)
        {
            rig.Join(i, tokenId: HostRig.ShopToken);
        }

        rig.Revoke(HostRig.ShopToken);
        rig.RunAlive(HostRig.SecondNs, stays);
        Assert.Equal(5, rig.Counters.Expulsions);
        Assert.Equal(HostRig.FirstEpoch + 1, stays.Only<RegionRekey>().KeyEpoch);
    }

    [Fact]
    public void A_key_changes_when_the_host_has_sealed_half_of_the_packets_it_may()
    {
        var limits = new HostLimits { KeyPacketsMax = 60 };
        var rig = new HostRig(new GmsOptions { Limits = limits });
        NodeRig node = rig.Join(1);
        for (int i = 0; i < 40; i++)
        {
            rig.Publish();
            rig.RunAlive(100 * HostRig.MillisecondNs, node);
        }

        // All came, under several keys, none of which was used up.
        Assert.Equal(40, node.Streamed().Count);
        Assert.True(rig.Counters.KeyChanges > 0);
        Assert.All(node.Packets().GroupBy(p => p.KeyEpoch), g => Assert.InRange(g.Count(), 1, 50));
    }

    [Fact]
    public void A_key_that_was_used_for_its_lifetime_is_followed_by_another()
    {
        var rig = new HostRig(new GmsOptions { KeyLifetimeNs = 2 * HostRig.SecondNs });
        NodeRig node = rig.Join(1);
        rig.RunAlive(5 * HostRig.SecondNs, node);
        Assert.Equal([HostRig.FirstEpoch + 1, HostRig.FirstEpoch + 2], node.All<RegionRekey>().Select(r => r.KeyEpoch));
        rig.Publish();
        Assert.Equal(HostRig.FirstEpoch + 2, node.Packets()[^1].KeyEpoch);
    }
}
