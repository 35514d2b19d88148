using Ripple.Engine.Frontier;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>Whom a wait is about: the members there were when its release was committed.</summary>
public sealed class WaitBindingTests
{
    private const string All = "MIN($ALL.applied)";
    private const byte Held = 0;
    private const byte CannotHold = 1;
    private const byte TimedOut = 2;

    [Fact]
    public void A_wait_is_about_those_who_were_members_at_the_commit_and_not_about_later_ones()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        NodeRig second = rig.Join(2);
        rig.Publish();
        rig.Join(3);
        StartWait(rig, first, 1);
        Assert.Equal(new WaitProgress(1, 0, 2, 1), first.Only<WaitProgress>());
        Applied(rig, first, 1);
        Assert.Equal(new WaitProgress(1, 1, 2, 1), first.All<WaitProgress>().Last());
        Applied(rig, second, 1);
        WaitResult result = first.Only<WaitResult>();
        Assert.Equal((1u, ErrorCode.None, Held, 2u), (result.Call, result.Code, result.Outcome, result.Total));
        Assert.Empty(result.Members);
    }

    [Fact]
    public void Each_commit_binds_anew()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        rig.Publish();
        NodeRig second = rig.Join(2);
        rig.Publish();
        StartWait(rig, first, 2);
        Assert.Equal(2u, first.Only<WaitProgress>().Total);
        Applied(rig, first, 2);
        Assert.Empty(first.All<WaitResult>());
        Applied(rig, second, 2);
        Assert.Equal((Held, 2u), (first.Only<WaitResult>().Outcome, first.Only<WaitResult>().Total));
    }

    [Fact]
    public void A_wait_for_an_older_release_is_about_the_members_of_that_one()
    {
        var rig = new HostRig();
        NodeRig first = rig.Join(1);
        rig.Publish();
        rig.Join(2);
        rig.Publish();
        Applied(rig, first, 1);
        StartWait(rig, first, 1);
        Assert.Equal((Held, 1u), (first.Only<WaitResult>().Outcome, first.Only<WaitResult>().Total));
    }

    [Fact]
    public void A_release_that_was_committed_while_nobody_was_a_member_is_waited_for_with_nobody_which_is_no_proof()
    {
        var rig = new HostRig();
        rig.Publish();
        NodeRig later = rig.Join(1);
        StartWait(rig, later, 1);
        Assert.Equal(ErrorCode.InvalidPredicate, later.Only<WaitResult>().Code);
        Assert.Contains("has no members among the 1 of shop", later.Only<WaitResult>().Text, StringComparison.Ordinal);
        rig.Restart(rig.CopyDisk());
        NodeRig again = rig.Join(1);
        StartWait(rig, again, 1);
        Assert.Equal(ErrorCode.InvalidPredicate, again.Only<WaitResult>().Code);
    }

    [Fact]
    public void Who_leaves_or_fails_is_left_out_and_named()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig leaves = rig.Join(2);
        NodeRig fails = rig.Join(3);
        rig.Publish();
        Applied(rig, stays, 1);
        StartWait(rig, stays, 1);
        leaves.Send(new Leave("enough"));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Empty(stays.All<WaitResult>());
        fails.Break("its cable was pulled");
        rig.Run(20 * HostRig.MillisecondNs);
        WaitResult result = stays.Only<WaitResult>();
        Assert.Equal((Held, 1u), (result.Outcome, result.Total));
        WaitMember[] expected = [new(HostRig.NodeOf(2), "node-2", 0, "left"), new(HostRig.NodeOf(3), "node-3", 0, "failed")];
        Assert.Equal(expected, result.Discounted);
    }

    [Fact]
    public void Who_wants_those_counted_that_went_is_told_that_it_cannot_hold()
    {
        var rig = new HostRig();
        NodeRig stays = rig.Join(1);
        NodeRig leaves = rig.Join(2);
        rig.Publish();
        Applied(rig, stays, 1);
        stays.Send(new Wait(1, HostRig.Shop, 0, 1, All, 0, CountLeft: true));
        leaves.Send(new Leave("enough"));
        rig.Run(20 * HostRig.MillisecondNs);
        WaitResult result = stays.Only<WaitResult>();
        Assert.Equal((CannotHold, 2u), (result.Outcome, result.Total));
        Assert.Equal("1 of 2 members cannot get to release 1.", result.Text);
        Assert.Equal(new WaitMember(HostRig.NodeOf(2), "node-2", 0, "left"), Assert.Single(result.Members));
    }

    [Fact]
    public void A_rejection_ends_a_wait_with_its_reason()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        rig.Publish();
        StartWait(rig, node, 1);
        node.Send(new Report([], [new RejectionRow(HostRig.ShopTopic, 1, 1, "not a number")]));
        rig.Run(5 * HostRig.MillisecondNs);
        WaitResult result = node.Only<WaitResult>();
        Assert.Equal((CannotHold, "1 of 1 members cannot get to release 1."), (result.Outcome, result.Text));
        Assert.Equal(new WaitMember(HostRig.NodeOf(1), "node-1", 0, "rejected release 1: not a number"), Assert.Single(result.Members));
    }

    [Fact]
    public void As_many_are_named_as_fit_half_a_frame_and_the_text_counts_all()
    {
        // Each takes 64 bytes and three for a character of its name and its reason: 625, and there is room for 60,000.
        const int Fitting = 96;
        const string Prefix = "rejected release 1: ";
        var rig = new HostRig();
        NodeRig[] nodes = [.. Enumerable.Range(100, Fitting + 1).Select(i => rig.Connect(i))];
        Array.ForEach(nodes, n => n.Send(n.JoinMessage));
        rig.Run(20 * HostRig.MillisecondNs);
        rig.Publish();
        string reason = new('r', 187 - "node-100".Length - Prefix.Length);
        Array.ForEach(nodes, n => n.Send(new Report([], [new RejectionRow(HostRig.ShopTopic, 1, 1, reason)])));
        rig.Run(20 * HostRig.MillisecondNs);
        StartWait(rig, nodes[0], 1);
        WaitResult result = nodes[0].Only<WaitResult>();
        Assert.Equal("97 of 97 members cannot get to release 1.", result.Text);
        Assert.Equal(Enumerable.Range(100, Fitting).Select(i => $"node-{i}"), result.Members.Select(m => m.Name));
        Assert.All(result.Members, m => Assert.Equal(Prefix + reason, m.Reason));
    }

    [Fact]
    public void A_wait_ends_at_its_time_and_names_who_is_behind()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        rig.Publish();
        node.Send(new Wait(1, HostRig.Shop, 0, 1, All, 100, CountLeft: false));
        rig.Run(90 * HostRig.MillisecondNs);
        Assert.Empty(node.All<WaitResult>());
        rig.Run(20 * HostRig.MillisecondNs);
        WaitResult result = node.Only<WaitResult>();
        Assert.Equal(TimedOut, result.Outcome);
        Assert.Equal("Not in time: the predicate is at release 0, and 1 of 1 members are behind release 1.", result.Text);
        Assert.Equal("node-1", Assert.Single(result.Members).Name);
    }

    [Fact]
    public void A_wait_that_was_cancelled_or_whose_connection_went_says_nothing_more()
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        rig.Publish();
        StartWait(rig, node, 1);
        node.Send(new WaitCancel(1));
        Applied(rig, node, 1);
        Assert.Empty(node.All<WaitResult>());
    }

    [Theory]
    [InlineData(0ul, All, ErrorCode.NotFound, "Release 0 of 'shop' is not committed; the newest is 1. Wait for a committed release.")]
    [InlineData(2ul, All, ErrorCode.NotFound, "Release 2 of 'shop' is not committed; the newest is 1. Wait for a committed release.")]
    [InlineData(1ul, "MIN(", ErrorCode.InvalidPredicate, "The predicate is not one. ")]
    [InlineData(1ul, "MIN($ALL.baked)", ErrorCode.InvalidPredicate, "The wait cannot begin. ")]
    public void A_wait_that_makes_no_sense_is_refused(ulong release, string predicate, ErrorCode code, string text)
    {
        var rig = new HostRig();
        NodeRig node = rig.Join(1);
        rig.Publish();
        node.Send(new Wait(1, HostRig.Shop, 0, release, predicate, 0, CountLeft: false));
        rig.Run(5 * HostRig.MillisecondNs);
        WaitResult result = node.Only<WaitResult>();
        Assert.Equal(code, result.Code);
        Assert.StartsWith(text, result.Text, StringComparison.Ordinal);
    }

    private static void StartWait(HostRig rig, NodeRig node, ulong release)
    {
        node.Send(new Wait(1, HostRig.Shop, 0, release, All, 0, CountLeft: false));
        rig.Run(5 * HostRig.MillisecondNs);
    }

    private static void Applied(HostRig rig, NodeRig node, ulong release)
    {
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, release, release, release));
        // Looks at what heartbeats say are gathered for ten milliseconds.
        rig.Run(20 * HostRig.MillisecondNs);
    }
}
