using System.Buffers.Binary;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

public sealed class RingFaultTests
{
    private const int MemberCount = 6;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void A_token_lost_on_any_hop_is_sent_again(uint from)
    {
        RingNet net = Start();
        long rounds = net.Leader.Ring.Counters.Rounds;
        LoseNext(net, from, FrameType.Token);
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(30);
        Assert.Equal(rounds + 1, net.Leader.Ring.Counters.Rounds);
        Assert.Equal(1, net.Members[from].Ring.Counters.Retransmits);
        Assert.Empty(net.Sender.Silent);
        Assert.All(net.Members.Keys, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(6)]
    public void A_token_whose_acknowledgement_is_lost_is_acknowledged_again_and_not_passed_on_twice(uint acknowledger)
    {
        RingNet net = Start();
        LoseNext(net, acknowledger, FrameType.TokenAck);
        int tokens = net.TokensSent;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(30);
        Assert.Equal(tokens + MemberCount + 1, net.TokensSent);
        Assert.Equal(1, net.Members[acknowledger].Ring.Counters.DuplicateTokens);
        Assert.Equal(0, net.Members.Values.Sum(m => m.Ring.Counters.Skips));
        Assert.All(net.Members.Keys, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
    }

    [Fact]
    public void A_token_that_came_back_is_not_sent_again_though_its_first_acknowledgement_was_lost()
    {
        RingNet net = Start();
        LoseNext(net, 2, FrameType.TokenAck);
        int tokens = net.TokensSent;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(100);
        Assert.Equal(tokens + MemberCount, net.TokensSent);
    }

    [Theory]
    [InlineData(new uint[] { 2 })]
    [InlineData(new uint[] { 4 })]
    [InlineData(new uint[] { 6 })]
    [InlineData(new uint[] { 2, 3 })]
    [InlineData(new uint[] { 5, 6 })]
    [InlineData(new uint[] { 2, 3, 4, 5, 6 })]
    public void Dead_members_are_skipped_and_named_silent(uint[] dead)
    {
        RingNet net = Start();
        Array.ForEach(dead, slot => net.Members[slot].Crash());
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(400);
        Assert.Equal(dead, net.Sender.Silent);
        foreach (uint slot in net.Members.Keys)
        {
            Assert.Equal(dead.Contains(slot) ? 10ul : 11ul, net.Sender.Of(slot, 7).Applied);
        }
    }

    [Fact]
    public void A_dead_member_costs_most_rounds_nothing()
    {
        RingNet net = Start();
        net.Members[3].Crash();
        for (ulong release = 11; release < 211; release++)
        {
            RingRoundTests.SetAll(net, 7, release);
            net.Leader.Ring.OnChanged();
            net.RunMs(10);
        }

        // Two seconds of rounds: tried after 50, 100, 200 ... ms, not in each of them.
        Assert.InRange(net.Members[2].Ring.Counters.Skips, 3, 8);
        Assert.True(net.Leader.Ring.Counters.Rounds > 150);
    }

    [Fact]
    public void A_member_that_comes_back_is_heard_again()
    {
        RingNet net = Start();
        net.Members[3].Mute();
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(3_000);
        Assert.Equal([3u], net.Sender.Silent);
        Assert.Equal(10ul, net.Sender.Of(3, 7).Applied);
        net.Members[3].Unmute();
        net.RunMs(2_500);
        Assert.Empty(net.Sender.Silent);
        Assert.Equal(11ul, net.Sender.Of(3, 7).Applied);
    }

    [Fact]
    public void A_member_skipped_by_bad_luck_is_asked_again_soon()
    {
        RingNet net = Start();
        int lost = 0;
        net.IsLost = (_, to, type) => to == 3 && type == FrameType.Token && ++lost <= 2;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(40);
        Assert.Equal([3u], net.Sender.Silent);
        Assert.Equal(10ul, net.Sender.Of(3, 7).Applied);
        net.RunMs(160);
        Assert.Equal(11ul, net.Sender.Of(3, 7).Applied);
    }

    [Fact]
    public void A_dead_leader_stops_the_rounds_until_a_view_names_another()
    {
        RingNet net = Start();
        net.Leader.Crash();
        net.RunMs(1_000);
        int aggregates = net.Sender.Aggregates;
        RingRoundTests.SetAll(net, 7, 11);
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Ring.OnChanged();
        }

        net.RunMs(5_000);
        Assert.Equal(aggregates, net.Sender.Aggregates);

        net.Install(net.NextView([2, 3, 4, 5, 6]));
        net.RunMs(50);
        Assert.True(net.Members[2].Ring.IsLeader);
        Assert.Equal(10ul, net.Sender.Of(1, 7).Applied);
        Assert.All(net.View.Members, m => Assert.Equal(11ul, net.Sender.Of(m.Slot, 7).Applied));
    }

    [Fact]
    public void A_leader_that_dies_in_mid_round_leaves_no_token_turning()
    {
        RingNet net = Start();
        net.OnSent = (from, _, type) =>
        {
            if (from == 3 && type == FrameType.Token)
            {
                net.Leader.Mute();
            }
        };
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(2_000);
        int tokens = net.TokensSent;
        net.Leader.Crash();
        net.RunMs(60_000);
        Assert.Equal(tokens, net.TokensSent);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(250)]
    [InlineData(450)]
    [InlineData(580)]
    public void A_view_change_in_mid_round_starts_anew(long afterUs)
    {
        RingNet net = Start();
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.Run(afterUs * 1_000);
        net.Add(7).Has.Set(7, 11, 11, 5);
        net.Install(net.NextView([1, 2, 4, 5, 6, 7]));
        net.RunMs(100);
        Assert.Empty(net.Sender.Silent);
        Assert.Equal(5ul, net.Sender.Of(7, 7).Applied);
        Assert.All(new uint[] { 1, 2, 4, 5, 6 }, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
        Assert.True(net.TokensInFlightMax <= 2);
    }

    [Fact]
    public void Members_in_different_views_do_no_harm_and_agree_later()
    {
        RingNet net = Start();
        RegionView next = net.NextView([1, 2, 3, 4, 5]);
        // Half of them learn of the view later than the leader.
        foreach (uint slot in new uint[] { 1, 2, 3 })
        {
            net.Members[slot].Ring.OnView(next, slot, RingNet.AddressOf(0));
        }

        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(150);
        Assert.True(net.Members[4].Ring.Counters.OtherViews > 0);
        net.Install(next);
        net.RunMs(2_000);
        Assert.Empty(net.Sender.Silent);
        Assert.All(next.Members, m => Assert.Equal(11ul, net.Sender.Of(m.Slot, 7).Applied));
    }

    [Fact]
    public void Stale_and_duplicate_tokens_die_and_are_acknowledged()
    {
        RingNet net = Start();
        byte[] old = net.Tokens![4];
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(10);
        byte[] newest = net.Tokens[4];
        int tokens = net.TokensSent;
        int acks = 0;
        net.OnSent = (_, _, type) => acks += type == FrameType.TokenAck ? 1 : 0;
        net.Members[4].Ring.OnTokenFrame(old, 3);
        net.Members[4].Ring.OnTokenFrame(newest, 3);
        net.Members[4].Ring.OnTokenFrame(newest, 2);
        // The one of the older round twice: who sent it is told of the newer one, too.
        Assert.Equal(4, acks);
        Assert.Equal(tokens, net.TokensSent);
        Assert.Equal(1, net.Members[4].Ring.Counters.StaleTokens);
        Assert.Equal(2, net.Members[4].Ring.Counters.DuplicateTokens);
    }

    [Fact]
    public void A_newer_round_replaces_the_token_a_member_still_holds()
    {
        RingNet net = Start();
        // Member 3 cannot reach anybody after it, for longer than a round may take.
        net.IsLost = (from, to, type) => from == 3 && to is > 3 or 1 && type == FrameType.Token;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(3_000);
        Assert.True(net.Leader.Ring.Counters.RoundsGivenUp > 0);
        net.IsLost = (_, _, _) => false;
        net.RunMs(5_000);
        Assert.All(net.Members.Keys, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
        Assert.Empty(net.Sender.Silent);
    }

    [Fact]
    public void A_token_from_a_later_position_or_a_stranger_is_refused()
    {
        RingNet net = Start();
        byte[] token = net.Tokens![4];
        token[8]++;
        foreach (uint sealer in new uint[] { 4, 5, 6, 0, 99 })
        {
            net.Members[4].Ring.OnTokenFrame(token, sealer);
        }

        Assert.Equal(5, net.Members[4].Ring.Counters.Refused);
        // One that was meant for another position.
        net.Members[5].Ring.OnTokenFrame(token, 2);
        Assert.Equal(1, net.Members[5].Ring.Counters.Refused);
    }

    [Fact]
    public void Forged_rounds_that_leap_on_and_on_do_not_come_to_the_end_of_the_range()
    {
        RingNet net = Start();
        byte[] token = net.Tokens![4];
        ulong round = BinaryPrimitives.ReadUInt64LittleEndian(token.AsSpan(8));
        for (int i = 0; i < 100; i++)
        {
            // A member that was silent for long may leap, and once in a second.
            round += 1UL << 31;
            BinaryPrimitives.WriteUInt64LittleEndian(token.AsSpan(8), round);
            net.Members[4].Ring.OnTokenFrame(token, 3);
        }

        Assert.Equal(99, net.Members[4].Ring.Counters.Refused);
        net.RunMs(1_100);
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(3_000);
        Assert.All(net.Members.Keys, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
    }

    [Fact]
    public void A_full_send_queue_is_not_taken_for_a_dead_successor()
    {
        RingNet net = Start();
        net.Members[3].IsBlocked = true;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(20);
        net.Members[3].IsBlocked = false;
        net.RunMs(200);
        Assert.Equal(0, net.Members[3].Ring.Counters.Skips);
        Assert.All(net.Members.Keys, slot => Assert.Equal(11ul, net.Sender.Of(slot, 7).Applied));
    }

    [Fact]
    public void An_aggregate_is_sent_until_it_is_acknowledged()
    {
        RingNet net = Start();
        int lost = 0;
        net.IsLost = (_, to, _) => to == 0 && ++lost <= 3;
        RingRoundTests.SetAll(net, 7, 11);
        net.Leader.Ring.OnChanged();
        net.RunMs(900);
        Assert.Equal(11ul, net.Sender.Of(6, 7).Applied);
        Assert.Equal(4, lost);
        Assert.Equal(3, net.Leader.Ring.Counters.Retransmits);
    }

    [Fact]
    public void A_rejection_is_told_until_the_sender_has_it()
    {
        RingNet net = Start();
        net.IsLost = (_, to, _) => to == 0;
        net.Members[5].Has.Rejections.Add(new RejectionRow(7, 1, 11, "too many"));
        net.RunMs(5_000);
        Assert.Empty(net.Sender.Rejections);
        net.IsLost = (_, _, _) => false;
        net.RunMs(1_500);
        Assert.Equal([(5u, 7u, 11ul, "too many")], net.Sender.Rejections);
    }

    [Fact]
    public void A_member_that_fell_silent_a_moment_ago_holds_the_floor()
    {
        var net = new RingNet(MemberCount);
        SetStreams(net, 100);
        net.Install();
        net.RunMs(100);
        Assert.Equal(100ul, net.Sender.Streams[RingNet.Origin]);
        net.Members[4].Mute();
        SetStreams(net, 200);
        net.Leader.Ring.OnChanged();
        net.RunMs(900);
        Assert.Equal([4u], net.Sender.Silent);
        Assert.Equal(100ul, net.Sender.Streams[RingNet.Origin]);
        net.RunMs(2_000);
        Assert.Equal(200ul, net.Sender.Streams[RingNet.Origin]);
    }

    [Fact]
    public void A_member_that_gives_garbage_does_no_harm()
    {
        RingNet net = Start();
        var random = new Ripple.Engine.Core.DeterministicRandom(5);
        ulong release = 11;
        for (int i = 0; i < 2_000; i++)
        {
            uint victim = (uint)(1 + random.NextInt32(MemberCount));
            byte[] garbage = net.Tokens!.TryGetValue(victim, out byte[]? token) ? [.. token] : new byte[60];
            switch (random.NextInt32(4))
            {
                case 0:
                    garbage.AsSpan(random.NextInt32(garbage.Length)).Fill((byte)random.NextUInt64());
                    garbage = garbage[..random.NextInt32(garbage.Length)];
                    break;
                case 1:
                    // A round from the far future.
                    garbage[14] = 0x20;
                    break;
                case 2:
                    // The next round, before the leader starts it; only now and then, or there is none of the leader's.
                    garbage[8] += i % 200 == 0 ? (byte)1 : (byte)0;
                    break;
                default:
                    garbage = [.. Enumerable.Range(0, random.NextInt32(200)).Select(_ => (byte)random.NextUInt64())];
                    break;
            }

            net.Members[victim].Ring.OnTokenFrame(garbage, 2);
            net.Members[victim].Ring.OnTokenAckFrame(garbage.AsSpan(0, Math.Min(18, garbage.Length)), 2);
            RingRoundTests.SetAll(net, 7, ++release / 100);
            net.Leader.Ring.OnChanged();
            net.RunMs(2);
        }

        net.RunMs(2_000);
        Assert.All(net.Members.Keys, slot => Assert.Equal(release / 100, net.Sender.Of(slot, 7).Applied));
        Assert.True(net.Leader.Ring.Counters.Rounds > 500);
        Assert.Equal(0, net.Sender.Malformed);
    }

    [Fact]
    public void A_disposed_member_does_nothing()
    {
        RingNet net = Start();
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Ring.Dispose();
        }

        int sent = 0;
        net.OnSent = (_, _, _) => sent++;
        net.Leader.Ring.OnChanged();
        net.Members[4].Ring.OnTokenFrame(net.Tokens![4], 3);
        net.RunMs(10_000);
        Assert.Equal(0, sent);
        Assert.Equal(0, net.Core.Alarms.Count);
    }

    private static RingNet Start()
    {
        var net = new RingNet(MemberCount) { Tokens = [] };
        RingRoundTests.SetAll(net, 7, 10);
        net.Install();
        net.RunMs(100);
        Assert.All(net.Members.Keys, slot => Assert.Equal(10ul, net.Sender.Of(slot, 7).Applied));
        return net;
    }

    private static void SetStreams(RingNet net, ulong contiguous)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Streams.Clear();
            node.Has.Streams.Add(new StreamProgress(RingNet.Origin, contiguous, contiguous));
        }
    }

    private static void LoseNext(RingNet net, uint from, FrameType type)
    {
        bool isLost = false;
        net.IsLost = (f, _, t) =>
        {
            bool isIt = !isLost && f == from && t == type;
            isLost |= isIt;
            return isIt;
        };
    }
}
