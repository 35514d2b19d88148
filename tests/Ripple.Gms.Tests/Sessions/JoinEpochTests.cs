using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
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
    [InlineData(86_399u)]
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

    [Theory]
    [InlineData(HostRig.FirstEpoch + 86_400)]
    [InlineData(uint.MaxValue - 2)]
    [InlineData(uint.MaxValue - 1)]
    [InlineData(uint.MaxValue)]
    public void A_claim_of_a_day_or_more_above_the_clock_raises_nothing_and_the_node_is_let_in_all_the_same(uint claimed)
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { SlotEpoch = claimed });
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        Assert.Equal(HostRig.FirstEpoch, node.Accepted!.View.Number.SlotEpoch);
        Assert.Equal(1, rig.Counters.ControlRefused);
    }

    [Fact]
    public void However_often_nodes_claim_a_higher_epoch_they_raise_it_by_no_more_than_a_day()
    {
        var rig = new HostRig();
        uint epoch = HostRig.FirstEpoch;
        for (int i = 1; i <= 10; i++)
        {
            NodeRig node = rig.Join(i, j => j with { SlotEpoch = epoch + 65_536 });
            epoch = node.Accepted!.View.Number.SlotEpoch;
            rig.Deliver();
        }

        Assert.Equal(HostRig.FirstEpoch + 65_537, rig.StoredEpoch);
        Assert.Equal(HostRig.FirstEpoch + 86_400, Join(HostRig.FirstEpoch + 86_399));
        Assert.Equal(HostRig.FirstEpoch + 86_400, Join(HostRig.FirstEpoch + 86_400));

        uint Join(uint claimed) => rig.Join(11, j => j with { SlotEpoch = claimed }).Accepted!.View.Number.SlotEpoch;
    }

    [Fact]
    public void Who_comes_back_to_the_host_that_gave_it_the_epoch_raises_nothing()
    {
        var rig = new HostRig();
        JoinAccepted first = rig.Join(1).Accepted!;
        JoinAccepted again = rig
            .Join(1, j => j with { SlotEpoch = first.View.Number.SlotEpoch, HostIncarnation = first.HostIncarnation }).Accepted!;
        Assert.Equal(HostRig.FirstEpoch, rig.StoredEpoch);
        Assert.Equal(HostRig.FirstEpoch, again.View.Number.SlotEpoch);
        Assert.True(again.Incarnation > first.Incarnation);
    }

    [Fact]
    public void A_region_that_is_there_goes_on_in_the_raised_epoch()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Join(2, j => j with { SlotEpoch = HostRig.FirstEpoch });
        ViewChange[] changes = [.. first.All<ViewChange>()];
        Assert.Equal(HostRig.FirstEpoch, changes[0].From.SlotEpoch);
        Assert.Equal(new ViewNumber(HostRig.FirstEpoch + 1, 1), changes[0].To);
        // The joiner starts from there: it knows the epoch before it is reached.
        Assert.Equal(changes[0].To, second.Only<JoinAccepted>().View.Number);
        Assert.Equal(changes[1].To, second.Accepted!.View.Number);
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
        JoinAccepted after = rig.Join(
            1, j => j with { SlotEpoch = before.View.Number.SlotEpoch, HostIncarnation = before.HostIncarnation }).Accepted!;
        Assert.NotEqual(before.HostIncarnation, after.HostIncarnation);
        Assert.True(after.Incarnation > before.Incarnation, $"incarnation {after.Incarnation:x} after {before.Incarnation:x}");
        Assert.True(after.View.Number.CompareTo(before.View.Number) > 0, $"view {after.View.Number} after {before.View.Number}");
        Assert.True(after.KeyEpoch > before.KeyEpoch, $"key epoch {after.KeyEpoch} after {before.KeyEpoch}");
    }
}
