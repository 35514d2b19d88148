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
    public void Who_leaves_or_fails_changes_no_key()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        rig.Join(2).Send(new Leave("enough"));
        rig.Join(3).Break("its cable was pulled");
        rig.Run(15 * HostRig.MillisecondNs);
        Assert.Empty(stays.All<RegionRekey>());
        Assert.Equal(HostRig.FirstEpoch, rig.Join(4).Accepted!.KeyEpoch);
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
