using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>
/// A node that saw an epoch as high as the host's own was given numbers by a start that the host does not remember.
/// The host raises its epoch above that one before it gives the node others.
/// </summary>
public sealed class JoinEpochTests
{
    [Theory]
    [InlineData(0u)]
    [InlineData(1u)]
    [InlineData(65_536u)]
    public void A_node_that_saw_the_hosts_epoch_or_a_later_one_is_let_in_above_it(uint above)
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { SlotEpoch = HostRig.FirstEpoch + above });
        uint raised = HostRig.FirstEpoch + above + 1;
        Assert.Equal(raised, rig.StoredEpoch);
        Assert.Equal(raised, (uint)(node.Accepted!.Incarnation >> 32));
        Assert.Equal(raised, node.Accepted.View.Number.SlotEpoch);
        Assert.Equal(raised, node.Accepted.KeyEpoch);
        Assert.Equal(raised, Assert.Single(node.Accepted.Topics).SlotEpoch);
    }

    [Fact]
    public void A_lower_epoch_raises_nothing()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { SlotEpoch = HostRig.FirstEpoch - 1 });
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        Assert.Equal(HostRig.FirstEpoch, node.Accepted!.View.Number.SlotEpoch);
    }

    [Fact]
    public void A_leap_of_more_than_65536_raises_nothing_and_the_node_is_let_in_all_the_same()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { SlotEpoch = HostRig.FirstEpoch + 65_537 });
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        Assert.Equal(HostRig.FirstEpoch, node.Accepted!.View.Number.SlotEpoch);
    }

    [Fact]
    public void A_region_that_is_there_goes_on_in_the_raised_epoch()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Join(2, j => j with { SlotEpoch = HostRig.FirstEpoch });
        ViewChange change = first.Only<ViewChange>();
        Assert.Equal(HostRig.FirstEpoch, change.From.SlotEpoch);
        Assert.Equal((HostRig.FirstEpoch + 1, 1u), (change.To.SlotEpoch, change.To.Counter));
        Assert.Equal(change.To, second.Accepted!.View.Number);
        // The key is the region's of before.
        Assert.Equal(HostRig.FirstEpoch, second.Accepted.KeyEpoch);
    }

    [Fact]
    public void No_join_is_answered_before_the_epoch_is_on_the_disk()
    {
        var rig = new HostRig();
        rig.FailNextFlush();
        NodeRig node = rig.Connect(1);
        node.Send(node.JoinMessage with { SlotEpoch = HostRig.FirstEpoch });
        rig.Run(100 * HostRig.MillisecondNs);
        Assert.Empty(node.Types);
        Assert.Equal(0, rig.Counters.Views);
    }

    [Fact]
    public void A_connection_that_goes_while_the_epoch_is_on_its_way_to_the_disk_leaves_nothing_behind()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        node.Send(node.JoinMessage with { SlotEpoch = HostRig.FirstEpoch });
        rig.Deliver();
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        node.Break("its cable was pulled");
        rig.Run(30 * HostRig.MillisecondNs);
        Assert.Equal(HostRig.FirstEpoch + 1, rig.StoredEpoch);
        Assert.Equal((0, 0, 0), (rig.Counters.Joins, rig.Counters.Views, rig.Counters.Sessions));
        // And the next one has no member beside it.
        Assert.Single(rig.Join(2).Accepted!.View.Members);
    }

    [Fact]
    public void Two_that_saw_the_same_epoch_raise_it_once()
    {
        var rig = new HostRig();
        NodeRig first = rig.Connect(1);
        NodeRig second = rig.Connect(2);
        first.Send(first.JoinMessage with { SlotEpoch = HostRig.FirstEpoch });
        second.Send(second.JoinMessage with { SlotEpoch = HostRig.FirstEpoch });
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(HostRig.FirstEpoch + 1, rig.StoredEpoch);
        Assert.Equal(first.Accepted!.View.Number, second.Accepted!.View.Number);
        Assert.NotEqual(first.Accepted.Incarnation, second.Accepted.Incarnation);
    }

    [Fact]
    public void A_host_restored_within_the_second_of_its_start_gives_no_number_twice_to_who_saw_it()
    {
        var rig = new HostRig();
        SimulatedDiskCopy beforeFirstStart = rig.BeforeFirstStart;
        JoinAccepted before = rig.Join(1).Accepted!;
        rig.Restart(beforeFirstStart);
        // Nothing but the node tells the host that it was here: the disk does not know, and the clock shows the same second.
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        JoinAccepted after = rig.Join(1, j => j with { SlotEpoch = before.View.Number.SlotEpoch }).Accepted!;
        Assert.True(after.Incarnation > before.Incarnation, $"incarnation {after.Incarnation:x} after {before.Incarnation:x}");
        Assert.True(after.View.Number.CompareTo(before.View.Number) > 0, $"view {after.View.Number} after {before.View.Number}");
        Assert.True(after.KeyEpoch > before.KeyEpoch, $"key epoch {after.KeyEpoch} after {before.KeyEpoch}");
    }
}
