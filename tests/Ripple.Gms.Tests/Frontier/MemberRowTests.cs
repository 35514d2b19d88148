using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Who has what of an application, as its host tells it to who asks.</summary>
public sealed class MemberRowTests
{
    private const byte Present = 0;
    private const byte Silent = 1;
    private const byte Left = 2;
    private const byte Failed = 3;

    [Fact]
    public void A_member_has_a_row_in_every_application_of_its_interest_and_in_no_other()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1, j => j with { Zone = "west", Name = "till-7" });
        var expected = new StatusRow(HostRig.NodeOf(1), node.Accepted!.Incarnation, "till-7", "west", Present, 0, 0, 0, 0, 0, string.Empty);
        Assert.Equal(expected, Assert.Single(rig.StatusRows()));
        Assert.Empty(rig.StatusRows(HostRig.Cart));
        rig.Join(2, j => j with { Interest = [HostRig.Cart] });
        Assert.Equal(2, rig.StatusRows().Count);
        Assert.Equal(HostRig.NodeOf(2), Assert.Single(rig.StatusRows(HostRig.Cart)).Node);
    }

    [Fact]
    public void A_member_without_a_name_is_called_by_its_identity()
    {
        var rig = new HostRig();
        rig.Join(1, j => j with { Name = string.Empty });
        Assert.Equal("00000000000000010000000000000001", Assert.Single(rig.StatusRows()).Name);
    }

    [Fact]
    public void A_reason_has_nothing_that_is_not_shown()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Join(1);
        node.Send(new Report([], [new RejectionRow(HostRig.ShopTopic, 1, 1, "no\u001b[2J\u202Eon\nFAKE")]));
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal("no [2J on FAKE", Assert.Single(rig.StatusRows()).Reason);
    }

    [Fact]
    public void A_node_whose_join_is_not_answered_has_no_row()
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        node.Send(node.JoinMessage);
        rig.Deliver();
        Assert.Empty(rig.StatusRows());
    }

    [Fact]
    public void Who_was_silent_is_present_in_all_applications_with_its_next_heartbeat_if_that_tells_nothing_new()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1, j => j with { Interest = [HostRig.Cart] });
        NodeRig silent = rig.Join(2, j => j with { Interest = [HostRig.Cart] });
        leader.SendAggregate(new RingRound(silent.Accepted!.View).Silent(1));
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([Present, Silent], rig.StatusRows().Select(r => r.State));
        Assert.Equal([Present, Silent], rig.StatusRows(HostRig.Cart).Select(r => r.State));
        silent.Heartbeat();
        rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal([Present, Present], rig.StatusRows().Select(r => r.State));
        Assert.Equal([Present, Present], rig.StatusRows(HostRig.Cart).Select(r => r.State));
    }

    [Fact]
    public void The_row_of_who_is_gone_stays_and_says_how_it_went()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        NodeRig leaves = rig.Join(2);
        NodeRig fails = rig.Join(3);
        NodeRig expelled = rig.Join(4, tokenId: HostRig.ShopToken);
        NodeRig silent = rig.Join(5);
        leaves.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1));
        RegionView view = silent.Accepted!.View;
        leader.SendAggregate(new RingRound(view).Silent(4));
        rig.Run(5 * HostRig.MillisecondNs);
        leaves.Send(new Leave("enough"));
        fails.Break("its cable was pulled");
        rig.Revoke(HostRig.ShopToken);
        rig.Run(HostRig.SecondNs);
        Assert.NotNull(expelled.ClosedReason);
        Assert.Equal([Present, Left, Failed, Failed, Silent], rig.StatusRows().Select(r => r.State));
        // With what it had.
        Assert.Equal(1ul, rig.RowOf(2).Applied);
    }

    [Fact]
    public void A_rejection_stays_with_its_reason_whoever_tells_it()
    {
        var rig = new HostRig();
        rig.Publish();
        rig.Publish();
        NodeRig leader = rig.Join(1);
        NodeRig reports = rig.Join(2);
        var rejection = new RejectionRow(HostRig.ShopTopic, 1, 2, "not a number");
        reports.Send(new Report([new LevelRow(HostRig.ShopTopic, 1, 2, 2, 1)], [rejection]));
        RegionView view = reports.Accepted!.View;
        leader.SendAggregate(new RingRound(view).Rejection(0, HostRig.ShopTopic, 1, 1, "out of range"));
        rig.Run(20 * HostRig.MillisecondNs);
        StatusRow direct = rig.RowOf(2);
        Assert.Equal((2ul, "not a number", 1ul, 1ul), (direct.Rejected, direct.Reason, direct.Applied, direct.DirectApplied));
        StatusRow byRing = rig.RowOf(1);
        Assert.Equal((1ul, "out of range"), (byRing.Rejected, byRing.Reason));
        // The newest of several is shown, and one of an application that is not there counts for nothing.
        reports.Send(new Report([], [new RejectionRow(HostRig.ShopTopic, 1, 1, "older"), new RejectionRow(99, 1, 5, "unknown")]));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(direct, rig.RowOf(2));
    }

    [Fact]
    public void A_report_of_what_nobody_can_have_is_refused_and_counted_and_the_rest_of_it_taken()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Join(1);
        LevelRow real = new(HostRig.ShopTopic, 1, 1, 1, 1);
        node.Send(new Report([real with { Received = 2 }, real with { Generation = 2 }, real], []));
        var rejection = new RejectionRow(HostRig.ShopTopic, 1, 2, "not there");
        node.Send(new Report([], [rejection, rejection with { Generation = 9, Release = 1 }]));
        node.Heartbeat(real with { Persisted = 1_000_000 });
        rig.Run(20 * HostRig.MillisecondNs);
        StatusRow row = rig.RowOf(1);
        Assert.Equal((1ul, 1ul, 1ul, 0ul), (row.Received, row.Persisted, row.DirectApplied, row.Rejected));
        Assert.Equal(5, rig.Counters.EvidenceRefused);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void A_report_of_who_is_not_yet_a_member_counts_for_nothing()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig node = rig.Connect(1);
        node.Send(node.JoinMessage);
        node.Send(new Report([new LevelRow(HostRig.ShopTopic, 1, 1, 1, 1)], []));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(0ul, rig.RowOf(1).Applied);
        Assert.Null(node.ClosedReason);
    }

    [Fact]
    public void The_rows_come_in_pages_of_100_of_which_the_last_says_so()
    {
        var rig = new HostRig();
        PublishResult newest = rig.Publish();
        NodeRig[] nodes = [.. Enumerable.Range(1, 250).Select(i => rig.Connect(i))];
        Array.ForEach(nodes, n => n.Send(n.JoinMessage));
        rig.Run(20 * HostRig.MillisecondNs);
        List<StatusResult> pages = rig.StatusPages();
        Assert.Equal([100, 100, 50], pages.Select(p => p.Rows.Count));
        Assert.Equal([false, false, true], pages.Select(p => p.IsLast));
        Assert.All(pages, p => Assert.Equal((1u, ErrorCode.None, 1u, newest.Release), (p.Call, p.Code, p.Generation, p.Release)));
        Assert.Equal(Enumerable.Range(1, 250).Select(HostRig.NodeOf), pages.SelectMany(p => p.Rows).Select(r => r.Node));
    }

    [Fact]
    public void Without_members_there_is_one_empty_page()
    {
        var rig = new HostRig();
        StatusResult page = Assert.Single(rig.StatusPages());
        Assert.True(page.IsLast);
        Assert.Empty(page.Rows);
    }
}
