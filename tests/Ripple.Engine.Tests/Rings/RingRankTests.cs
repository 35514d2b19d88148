using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

/// <summary>The second and third member of a part lead its ring when no token comes, and stand down for those before them.</summary>
public sealed class RingRankTests
{
    private const uint Topic = 7;
    private const int Members = 8;
    private const long AnswerMs = 50;

    private static readonly long LeadAfterMs = RingOptions.Default.LeadAfterNs / 1_000_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void A_change_is_told_while_those_who_lead_first_are_gone(int gone)
    {
        RingNet net = Start();
        foreach (RingNet.Node node in Ranks(net).Take(gone))
        {
            node.Mute();
        }

        Change(net, 2);
        net.RunMs((gone * LeadAfterMs) + AnswerMs);

        Assert.All(net.View.Members.Skip(gone), m => Assert.Equal(2ul, net.Sender.Of(m.Slot, Topic).Applied));
        Assert.All(net.View.Members.Take(gone), m => Assert.Equal(1ul, net.Sender.Of(m.Slot, Topic).Applied));
        Assert.Equal(1, Ranks(net)[gone].Ring.Counters.TakeOvers);
        Assert.Equal(0, net.Sender.Malformed);
    }

    [Fact]
    public void A_rejection_is_told_while_the_leader_is_gone()
    {
        RingNet net = Start();
        Ranks(net)[0].Mute();
        RingNet.Node rejecting = net.Members[net.View.Members[5].Slot];
        rejecting.Has.Rejections.Add(new RejectionRow(Topic, 1, 2, "no"));
        Change(net, 2);

        net.RunMs(LeadAfterMs + AnswerMs);

        Assert.Contains((rejecting.Slot, Topic, 2ul), net.Sender.Rejections.Select(r => (r.Slot, r.Topic, r.Release)));
    }

    [Fact]
    public void Who_comes_back_leads_again_above_the_rounds_that_it_missed()
    {
        RingNet net = Start();
        RingNet.Node first = Ranks(net)[0];
        RingNet.Node second = Ranks(net)[1];
        first.Mute();
        for (ulong release = 2; release < 6; release++)
        {
            Change(net, release);
            net.RunMs(2 * LeadAfterMs);
        }

        Assert.True(second.Ring.IsLeader);
        first.Unmute();
        Change(net, 6);
        net.RunMs(LeadAfterMs);

        Assert.All(net.Members.Keys, slot => Assert.Equal(6ul, net.Sender.Of(slot, Topic).Applied));
        Assert.True(first.Ring.IsLeader);
        Assert.False(second.Ring.IsLeader);
        Assert.Equal(1, second.Ring.Counters.TakeOvers);
    }

    [Fact]
    public void A_leader_that_is_gone_is_missed_though_nothing_changes()
    {
        RingNet net = Start();
        Ranks(net)[0].Mute();

        net.RunMs((RingOptions.Default.IdleNs / 1_000_000) + LeadAfterMs + AnswerMs);

        Assert.True(Ranks(net)[1].Ring.IsLeader);
        Assert.False(Ranks(net)[2].Ring.IsLeader);
        Assert.Equal(1, net.Sender.LastRank);
    }

    [Fact]
    public void While_the_first_leads_nobody_else_does()
    {
        RingNet net = Start();
        for (ulong release = 2; release < 20; release++)
        {
            Change(net, release);
            net.RunMs(97);
        }

        Assert.All(net.Members, n => Assert.Equal((n.Key, 0), (n.Key, n.Value.Ring.Counters.TakeOvers)));
        Assert.Equal([true, .. Enumerable.Repeat(false, Members - 1)], net.View.Members.Select(m => net.Members[m.Slot].Ring.IsLeader));
    }

    [Fact]
    public void Patience_that_grew_is_gone_again_after_some_tokens_of_who_leads()
    {
        RingNet net = Start();
        RingNet.Node first = Ranks(net)[0];
        for (int i = 0; i < 4; i++)
        {
            first.Mute();
            Change(net, (ulong)(2 + i));
            net.RunMs(6_000);
            Assert.True(Ranks(net)[1].Ring.IsLeader);
            first.Unmute();
            net.RunMs(3_000);
            Assert.True(first.Ring.IsLeader);
        }

        first.Mute();
        Change(net, 6);
        net.RunMs(LeadAfterMs + AnswerMs);
        Assert.Equal(5ul, net.Sender.Of(Ranks(net)[1].Slot, Topic).Applied);
        net.RunMs(6_000);
        first.Unmute();

        // A hundred idle rounds, one a second.
        net.RunMs(100_000);
        first.Mute();
        Change(net, 7);
        net.RunMs(LeadAfterMs + AnswerMs);
        Assert.Equal(7ul, net.Sender.Of(Ranks(net)[1].Slot, Topic).Applied);
    }

    [Fact]
    public void Two_leaders_never_give_one_number()
    {
        RegionView view = new RingNet(12, partMembers: 6).View;
        RegionView whole = new RingNet(12).View;
        for (ulong round = 0; round < 40; round++)
        {
            ulong[] next = [.. Enumerable.Range(0, RoundNumber.LeadersMax).Select(r => RoundNumber.Next(round, r, view))];
            Assert.Equal(next.Length, next.Distinct().Count());
            Assert.Equal([0, 1, 2], next.Select(n => RoundNumber.RankOf(n, view)));
            Assert.All(next, n => Assert.True(n > round));
            Assert.Equal(round + 1, RoundNumber.Next(round, 0, whole));
        }

        Assert.Equal((3, 1), (RoundNumber.LeadersOf(view), RoundNumber.LeadersOf(whole)));
    }

    [Fact]
    public void Only_the_first_three_lead_and_only_in_views_that_are_cut()
    {
        RingNet net = Start();
        foreach (RingNet.Node node in Ranks(net).Take(3))
        {
            node.Mute();
        }

        Change(net, 2);
        net.RunMs(5_000);
        Assert.All(net.View.Members.Skip(3), m => Assert.Equal(1ul, net.Sender.Of(m.Slot, Topic).Applied));

        var whole = new RingNet(Members);
        Change(whole, 1);
        whole.Install();
        whole.RunMs(500);
        Ranks(whole)[0].Mute();
        Change(whole, 2);
        whole.RunMs(5_000);
        Assert.All(whole.Members.Values, n => Assert.Equal(0, n.Ring.Counters.TakeOvers));
    }

    private static RingNet Start()
    {
        var net = new RingNet(Members, partMembers: Members);
        Change(net, 1);
        net.Install();
        net.RunMs(500);
        Assert.All(net.Members.Keys, slot => Assert.Equal(1ul, net.Sender.Of(slot, Topic).Applied));
        return net;
    }

    private static RingNet.Node[] Ranks(RingNet net) => [.. net.View.Members.Select(m => net.Members[m.Slot])];

    private static void Change(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, release, release, release);
            node.Ring.OnChanged();
        }
    }
}
