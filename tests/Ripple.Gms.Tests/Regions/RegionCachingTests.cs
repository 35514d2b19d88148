using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>Members repair each other only while all of them know how.</summary>
public sealed class RegionCachingTests
{
    [Fact]
    public void A_member_is_told_how_many_members_keep_a_packet()
    {
        var rig = new HostRig(new GmsOptions { Limits = HostLimits.Default with { CacheOwners = 3 } });
        Assert.Equal(3, rig.Join(1).Only<RegionCaching>().Owners);
        Assert.Equal(3, rig.Join(2).Only<RegionCaching>().Owners);
    }

    [Fact]
    public void Where_the_host_wants_none_nobody_is_told_of_it()
    {
        var rig = new HostRig(new GmsOptions { Limits = HostLimits.Default with { CacheOwners = 0 } });
        Assert.Empty(rig.Join(1).All<RegionCaching>());
    }

    [Fact]
    public void A_member_that_does_not_know_how_ends_it_until_it_leaves()
    {
        var rig = new HostRig(new GmsOptions());
        NodeRig first = rig.Join(1);
        Assert.Equal(5, first.Only<RegionCaching>().Owners);
        NodeRig old = rig.Join(2, j => j with { ProtocolVersion = Join.CachingVersion - 1 });
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal([5, 0], first.All<RegionCaching>().Select(c => (int)c.Owners));
        Assert.Empty(old.All<RegionCaching>());

        NodeRig third = rig.Join(3);
        rig.Run(50 * HostRig.MillisecondNs);
        Assert.DoesNotContain(third.All<RegionCaching>(), c => c.Owners > 0);

        old.Send(new Leave("upgraded"));
        rig.Run(2_000 * HostRig.MillisecondNs);
        Assert.Equal([5, 0, 5], first.All<RegionCaching>().Select(c => (int)c.Owners));
        Assert.Equal(5, third.All<RegionCaching>().Last().Owners);
    }
}
