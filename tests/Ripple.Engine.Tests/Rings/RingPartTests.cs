using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Rings;

/// <summary>A view of several parts: each is a ring with a leader of its own.</summary>
public sealed class RingPartTests
{
    private const uint Topic = 7;

    /// <summary>
    /// At 0.1 ms a hop: the largest part has 25 members, its token makes as many hops, and the aggregate one; through another leader one
    /// more, and what that waits for others.
    /// </summary>
    [Theory]
    [InlineData(0, 26, 3_000_000)]
    [InlineData(8, 50, 5_000_000)]
    public void A_change_of_five_hundred_members_is_told_after_as_many_hops_as_a_part_has_members(int gathered, int hopsMax, long toldNsMax)
    {
        const long HopNs = 100_000;
        var net = new RingNet(500, partMembers: 24) { AggregateDatagramsMax = gathered };
        SetAll(net, 1);
        net.Install();
        net.RunMs(1_000);
        Assert.Equal(20, net.View.PartCount);
        long beganNs = net.NowNs;
        long tokenNs = 0;
        net.OnSent = (_, _, type) => tokenNs = tokenNs == 0 && type == FrameType.Token ? net.NowNs : tokenNs;

        SetAll(net, 2);
        foreach (RingNet.Node leader in net.Leaders)
        {
            leader.Ring.HearsGroup = true;
            leader.Ring.OnChanged();
        }

        while (net.Members.Keys.Any(slot => net.Sender.Of(slot, Topic).Applied < 2))
        {
            net.Run(HopNs / 10);
            Assert.True(net.NowNs - beganNs < 1_000_000_000, "the change is not told");
        }

        long hops = (net.NowNs - tokenNs) / HopNs;
        long toldNs = net.NowNs - beganNs;
        TestContext.Current.TestOutputHelper?.WriteLine(FormattableString.Invariant(
            $"gathered by {gathered}: told after {toldNs / 1e6} ms, {hops} hops after the first token"));
        Assert.InRange(hops, 1, hopsMax);
        Assert.InRange(toldNs, 1, toldNsMax);
        Assert.Equal(gathered > 0, net.Gathered > 0);
        Assert.All(net.Members.Values, n => Assert.Equal(0, n.Ring.Counters.Refused));
        Assert.Equal(0, net.Sender.Malformed);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_part_waits_until_the_sender_is_through_with_those_behind_it_unless_all_get_one_datagram(bool isGroup)
    {
        var net = new RingNet(500, partMembers: 24);
        var beganNs = new Dictionary<uint, long>();
        SetAll(net, 1);
        net.Install();
        net.RunMs(500);
        net.OnSent = (from, _, type) =>
        {
            if (type == FrameType.Token)
            {
                beganNs.TryAdd(from, net.NowNs);
            }
        };
        long changedNs = net.NowNs;
        SetAll(net, 2);
        foreach (RingNet.Node leader in net.Leaders)
        {
            leader.Ring.HearsGroup = isGroup;
            leader.Ring.OnChanged();
        }

        net.RunMs(20);

        Assert.All(Enumerable.Range(0, net.View.PartCount).Select(net.View.PartAt), part =>
        {
            long sweepNs = isGroup ? 0 : (500 - part.End) * RingOptions.Default.SweepNsPerMember;
            long waitedNs = beganNs[net.View.Members[part.First].Slot] - changedNs;
            Assert.InRange(waitedNs, sweepNs, sweepNs + RingOptions.Default.PauseMinNs);
        });
    }

    [Fact]
    public void Each_part_turns_by_itself_while_the_leader_of_another_is_gone()
    {
        var net = new RingNet(20, partMembers: 5);
        net.Install();
        RingNet.Node gone = net.Leaders.ElementAt(1);
        gone.Crash();
        SetAll(net, 3);

        net.RunMs(3_000);

        RegionPart part = net.View.PartAt(1);
        foreach ((RegionMember member, int position) in net.View.Members.Select((m, i) => (m, i)))
        {
            Assert.Equal(part.Contains(position) ? 0ul : 3ul, net.Sender.Of(member.Slot, Topic).Applied);
        }
    }

    [Fact]
    public void A_silent_member_is_named_by_its_position_in_the_view_and_its_part_goes_on()
    {
        var net = new RingNet(20, partMembers: 5);
        net.Install();
        RegionPart part = net.View.PartAt(2);
        uint silent = net.View.Members[part.End - 1].Slot;
        net.Members[silent].Mute();
        var seen = new SortedSet<uint>();
        SetAll(net, 4);
        for (int i = 0; i < 3_000; i++)
        {
            net.RunMs(1);
            seen.UnionWith(net.Sender.Silent);
        }

        Assert.Equal([silent], seen);
        Assert.All(net.Members.Keys, slot => Assert.Equal(slot == silent ? 0ul : 4ul, net.Sender.Of(slot, Topic).Applied));
    }

    [Fact]
    public void A_leader_says_nothing_of_positions_outside_of_its_part()
    {
        var net = new RingNet(12, partMembers: 3);
        RegionView view = net.View;
        RegionPart part = view.PartAt(1);
        Assert.Equal(DecodeStatus.Ok, Read(view, part, Round(view, part.First, part.End)));

        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, 0, part.End)));
        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, part.First, view.Members.Length)));
        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, part.First, part.End, silent: part.First)));
        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, part.First, part.End, silent: part.First - 1)));
        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, part.First, part.End, rejecting: part.First - 1)));
        Assert.Equal(DecodeStatus.Malformed, Read(view, part, Round(view, part.First, part.End, least: part.First - 1)));
    }

    [Fact]
    public void A_token_of_another_part_or_from_a_member_of_one_is_refused()
    {
        var net = new RingNet(12, partMembers: 3) { Tokens = [] };
        SetAll(net, 1);
        net.Install();
        net.RunMs(20);
        RegionPart part = net.View.PartAt(1);
        RingNet.Node second = net.Members[net.View.Members[part.First + 1].Slot];
        byte[] token = net.Tokens![second.Slot];
        long hops = second.Ring.Counters.Hops;

        // As the leader of the part before: what it says is of this part, and not its own to say.
        second.Ring.OnTokenFrame(token, net.View.Members[0].Slot);
        Assert.Equal((hops, 1), (second.Ring.Counters.Hops, second.Ring.Counters.Refused));
        second.Ring.OnTokenFrame(net.Tokens[net.View.Members[1].Slot], net.View.Members[part.First].Slot);
        Assert.Equal((hops, 2), (second.Ring.Counters.Hops, second.Ring.Counters.Refused));
    }

    [Fact]
    public void What_was_told_in_a_view_is_told_again_when_the_next_is_cut_otherwise()
    {
        var net = new RingNet(24, partMembers: 6);
        SetAll(net, 5);
        net.Install();
        net.RunMs(500);
        net.Sender.Levels.Clear();

        net.Install(net.NextView(net.Members.Keys).Cut(0));
        net.RunMs(500);

        Assert.Equal(1, net.View.PartCount);
        Assert.All(net.Members.Keys, slot => Assert.Equal(5ul, net.Sender.Of(slot, Topic).Applied));
    }

    private static void SetAll(RingNet net, ulong release)
    {
        foreach (RingNet.Node node in net.Members.Values)
        {
            node.Has.Set(Topic, release, release, release);
        }
    }

    private static RingToken Round(RegionView view, int from, int to, int silent = -1, int rejecting = -1, int least = -1)
    {
        var token = new RingToken();
        token.Clear(view.Number.Value, 4, from);
        RingTokenTopic topic = token.TryAddTopic(Topic, 1, 9, (ushort)from)!;
        for (int i = from; i < to; i++)
        {
            token.Append(topic, 0, 0, 0);
            token.Visited++;
        }

        if (silent >= 0)
        {
            token.AddSilent((ushort)silent);
        }

        if (rejecting >= 0)
        {
            token.TryAddRejection()!.Set((ushort)rejecting, Topic, 1, 9, "no");
        }

        if (least >= 0)
        {
            token.TryAddStream(new RingTokenStream
            {
                Origin = RingNet.Origin,
                MinContiguous = 1,
                MinPosition = (ushort)least,
                Highest = 2,
            });
        }

        return token;
    }

    private static DecodeStatus Read(RegionView view, RegionPart part, RingToken token)
    {
        byte[] payload = new byte[WireLimits.FramesBytesMax];
        var writer = new WireWriter(payload);
        writer.Take(AggregateProof.Bytes);
        Assert.True(RingTokenCodec.TryWrite(token, ref writer));
        return new AggregateReader().TryRead(payload.AsSpan(0, writer.Position), view, part, new FakeSender { View = view });
    }
}
