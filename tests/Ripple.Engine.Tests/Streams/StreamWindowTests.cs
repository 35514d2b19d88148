using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

public sealed class StreamWindowTests
{
    private static readonly StreamOptions SmallWindow = new() { WindowPackets = 16 };

    [Fact]
    public void A_full_window_stops_the_sender_until_the_floor_moves()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow);
        StreamMember member = host.Join();
        Queue(host, 40);
        network.Run(10_000_000);
        Assert.Equal(16UL, host.Sender.Highest);
        Assert.Equal(1, host.Sender.Counters.WindowFull);
        host.Aggregate();
        network.Run(10_000_000);
        Assert.Equal(32UL, host.Sender.Highest);
        host.Aggregate();
        network.Run(10_000_000);
        Assert.Equal(40UL, host.Sender.Highest);
        Assert.Equal(40, member.Messages.Count);
        Assert.Equal(0, host.Sender.Counters.Stalls);
    }

    [Fact]
    public void A_full_window_with_nothing_to_send_is_no_stall()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow);
        host.Join();
        Queue(host, 16);
        network.Run(5_000_000_000);
        Assert.Equal(16UL, host.Sender.Highest);
        Assert.Equal(0, host.Sender.Counters.WindowFull);
        Assert.Equal(0, host.Sender.Counters.Stalls);
    }

    [Fact]
    public void An_aggregate_frees_nothing_that_later_joiners_are_owed()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember early = host.Join();
        ViewNumber before = host.View.Number;
        Queue(host, 5);
        network.Run(1_000_000);
        host.Join();
        ViewNumber after = host.View.Number;
        Queue(host, 5);
        network.Run(1_000_000);
        Assert.Equal(10UL, early.Receiver.Contiguous);

        host.Sender.OnAggregate(before, 10);
        Assert.Equal(5UL, host.Sender.Floor);
        host.Sender.OnAggregate(after, 8);
        Assert.Equal(8UL, host.Sender.Floor);
        host.Sender.OnAggregate(before, 10);
        host.Sender.OnAggregate(after, 3);
        Assert.Equal(8UL, host.Sender.Floor);
    }

    [Fact]
    public void Who_enters_late_by_an_older_slot_is_owed_as_any_joiner()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(3);
        host.Remove(members[0]);
        ViewNumber before = host.View.Number;
        Queue(host, 5);
        network.Run(1_000_000);
        host.Sender.OnView(host.View.Next(host.View.Number.Next(), [], [members[0].AsRegionMember()]));
        Queue(host, 5);
        network.Run(1_000_000);

        host.Sender.OnAggregate(before, 10);
        Assert.Equal(5UL, host.Sender.Floor);
    }

    [Fact]
    public void While_nobody_is_reached_the_newest_packets_are_kept_and_nothing_stalls()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow);
        SortedSet<uint> reached = [];
        host.Output.SetReached(reached);
        StreamMember member = host.Join();
        Queue(host, 40);
        network.Run(10_000_000);
        Assert.Equal((40UL, 24UL), (host.Sender.Highest, host.Sender.Floor));
        Assert.Equal((0, 0), (host.Sender.Counters.WindowFull, host.Sender.Counters.Stalls));

        reached.Add(member.Slot);
        host.Output.SetReached(reached);
        host.Sender.OnReached(member.DataPort.LocalAddress, member.ControlPort.LocalAddress, 1);
        network.Run(100_000_000);
        Assert.Equal((1UL, 24UL), Assert.Single(member.Skips));
        Assert.Equal(16, member.Messages.Count);
        Assert.Equal(40UL, member.Receiver.Contiguous);
    }

    [Fact]
    public void Who_is_reached_when_the_window_is_empty_is_told_and_told_again_when_a_round_finds_it_behind()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(2);
        SortedSet<uint> reached = [members[0].Slot];
        host.Output.SetReached(reached);
        Queue(host, 5);
        network.Run(1_000_000);
        host.Sender.OnAggregate(host.View.Number, 5);
        Assert.Equal(5UL, host.Sender.Floor);

        reached.Add(members[1].Slot);
        host.Output.SetReached(reached);
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => to == members[1].ControlPort.LocalAddress;
        host.Sender.OnReached(members[1].DataPort.LocalAddress, members[1].ControlPort.LocalAddress, 1);
        network.Run(1_000_000_000);
        Assert.Empty(members[1].Skips);
        network.Drop = null;
        host.Sender.OnBehind(members[1].ControlPort.LocalAddress, 0);
        network.Run(10_000_000);
        Assert.Equal((1UL, 5UL), Assert.Single(members[1].Skips));
        Assert.Equal(1, members[1].Receiver.Counters.Beacons);
    }

    [Fact]
    public void A_view_that_only_lost_members_bounds_nothing()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(2);
        ViewNumber before = host.View.Number;
        Queue(host, 5);
        network.Run(1_000_000);
        host.Remove(members[1]);
        Queue(host, 5);
        network.Run(1_000_000);
        host.Sender.OnAggregate(before, 10);
        Assert.Equal(10UL, host.Sender.Floor);
    }

    [Fact]
    public void Aggregates_of_views_too_old_or_unknown_or_above_what_was_sent_are_ignored()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join();
        ViewNumber first = host.View.Number;
        Queue(host, 3);
        network.Run(1_000_000);
        for (int i = 0; i < 16; i++)
        {
            host.Join();
        }

        host.Sender.OnAggregate(first, 3);
        host.Sender.OnAggregate(host.View.Number.Next(), 3);
        host.Sender.OnAggregate(host.View.Number, 4);
        Assert.Equal(0UL, host.Sender.Floor);
        Assert.Equal(3, host.Sender.Counters.AggregatesIgnored);
        host.Sender.OnAggregate(host.View.Number, 3);
        Assert.Equal(3UL, host.Sender.Floor);
    }

    [Fact]
    public void A_stalled_window_is_told_and_goes_on_without_the_slow_member_which_skips()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow);
        StreamMember[] members = host.Join(2);
        bool isCut = true;
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            isCut && (to == members[1].DataPort.LocalAddress || to == members[1].ControlPort.LocalAddress);
        host.OnStalled = () => host.Sender.ReleaseFloor(host.Sender.NextSequence - 1);
        Queue(host, 24);
        network.Run(990_000_000);
        Assert.Equal(16UL, host.Sender.Highest);
        network.Run(20_000_000);
        Assert.Equal(24UL, host.Sender.Highest);
        Assert.Equal(1, host.Sender.Counters.Stalls);
        Assert.Equal(24, members[0].Messages.Count);

        isCut = false;
        network.Run(2_000_000_000);
        Assert.Equal((1UL, 16UL), Assert.Single(members[1].Skips));
        Assert.Equal(24UL, members[1].Receiver.Contiguous);
        Assert.Equal(8, members[1].Messages.Count);
    }

    [Fact]
    public void A_released_tail_is_announced_until_all_know()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(2);
        bool isCut = true;
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            isCut && (to == members[1].DataPort.LocalAddress || to == members[1].ControlPort.LocalAddress);
        Queue(host, 4);
        network.Run(10_000_000);
        host.Sender.ReleaseFloor(ulong.MaxValue);
        Assert.Equal(4UL, host.Sender.Floor);
        network.Run(5_000_000_000);
        isCut = false;
        network.Run(1_100_000_000);
        Assert.Equal((1UL, 4UL), Assert.Single(members[1].Skips));
    }

    [Fact]
    public void A_request_below_the_window_is_answered_by_a_beacon_to_the_requester_alone()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow with { BeaconFirstNs = 100_000_000_000, BeaconMaxNs = 100_000_000_000 });
        StreamMember[] members = host.Join(2);
        network.Drop = PacketLoss.FirstOf(members[0], 1, 2, 3);
        Queue(host, 3);
        network.Run(1_000_000);
        host.Sender.ReleaseFloor(2);
        Queue(host, 1);
        network.Run(20_000_000);
        Assert.Equal((1UL, 2UL), Assert.Single(members[0].Skips));
        Assert.Equal(4UL, members[0].Receiver.Contiguous);
        Assert.Equal(2, members[0].Messages.Count);
        Assert.Equal(1, members[0].Receiver.Counters.Beacons);
        Assert.Equal(0, members[1].Receiver.Counters.Beacons);
        Assert.Equal(1, host.Sender.Counters.NaksTooOld);
    }

    [Fact]
    public void A_skip_gives_up_messages_that_can_no_longer_complete_and_keeps_those_that_can()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        byte[] kept = StreamDeliveryTests.Payload(2, 3 * 1_384);
        host.Queue(1, StreamDeliveryTests.Payload(1, 3 * 1_384));
        host.Queue(1, StreamDeliveryTests.Payload(3, 1_384));
        host.Queue(2, kept);
        List<byte[]> packets = StreamPackets.PullAll(host);
        // Packet 2 of the first message is missing, the second message, and the first packet of the third.
        foreach (int sequence in new[] { 1, 3, 6, 7 })
        {
            member.Receiver.OnFrames(packets[sequence - 1]);
        }

        Assert.Equal(2, member.Receiver.AssemblyCount);
        member.Receiver.OnBeacon(StreamPackets.Beacon(7, 5));
        Assert.Equal((2UL, 4UL), Assert.Single(member.Skips));
        Assert.Equal(1, member.Receiver.AssemblyCount);
        Assert.Equal(1, member.Receiver.Counters.MessagesAbandoned);
        member.Receiver.OnFrames(packets[4]);
        Assert.Equal(kept, Assert.Single(member.Messages).Message);
        Assert.Equal(0, member.Receiver.AssemblyBytes);
    }

    [Fact]
    public void Packets_too_far_ahead_are_refused_and_asked_for_when_the_window_gets_there()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        byte[] far = StreamPackets.Packet(1 + StreamReceiver.WindowPackets);
        Assert.Equal(ReceiveStatus.OutOfWindow, member.Receiver.OnFrames(far));
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(StreamPackets.Packet(StreamReceiver.WindowPackets)));
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(StreamPackets.Packet(1)));
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(far));
        Assert.Equal(ReceiveStatus.Duplicate, member.Receiver.OnFrames(far));
    }

    [Fact]
    public void A_false_beacon_is_taken_back_by_the_next_true_one()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        Queue(host, 3);
        network.Run(1_000_000);
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnBeacon(StreamPackets.Beacon(StreamReceiver.WindowPackets, 1)));
        network.Run(2_000_000);
        Assert.True(host.Sender.Counters.NaksUnsent > 0);
        network.Run(10_000_000);
        Assert.Equal(3UL, member.Receiver.Highest);
        host.Aggregate();
        long naks = member.Receiver.Counters.Naks;
        network.Run(5_000_000_000);
        Assert.Equal(naks, member.Receiver.Counters.Naks);
        Queue(host, 3);
        network.Run(10_000_000);
        Assert.Equal(6, member.Messages.Count);
    }

    [Fact]
    public void A_beacon_that_tells_of_more_than_can_have_been_sent_changes_nothing()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        ulong most = StreamReceiver.WindowPackets;
        foreach (ulong highest in (ulong[])[most + 1, 1UL << 50, StreamPosition.SequenceMax])
        {
            Assert.Equal(ReceiveStatus.Malformed, member.Receiver.OnBeacon(StreamPackets.Beacon(highest, highest + 1)));
        }

        Assert.Equal((0UL, 0UL), (member.Receiver.Contiguous, member.Receiver.Highest));
        Assert.Equal(3, member.Receiver.Counters.BeaconsRefused);
        // A packet a microsecond, and what the sender says itself.
        network.Run(1_000_000);
        Assert.Equal(ReceiveStatus.Malformed, member.Receiver.OnBeacon(StreamPackets.Beacon(most + 1_001, 1)));
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnBeacon(StreamPackets.Beacon(most + 1_000, 1)));
        member.Receiver.OnSent(1_000_000);
        Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnBeacon(StreamPackets.Beacon(1_000_000, 1_000_001)));
        Assert.Equal(1_000_000UL, member.Receiver.Contiguous);
    }

    [Fact]
    public void The_wildest_beacon_allowed_neither_throws_nor_holds_anything()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        member.Receiver.OnFrames(StreamPackets.Packet(5));
        member.Receiver.OnSent(StreamPosition.SequenceMax);
        Assert.Equal(
            ReceiveStatus.Accepted,
            member.Receiver.OnBeacon(StreamPackets.Beacon(StreamPosition.SequenceMax, StreamPosition.SequenceMax + 1)));
        Assert.Equal(StreamPosition.SequenceMax, member.Receiver.Contiguous);
        network.Run(1_000_000_000);
        Assert.Equal(ReceiveStatus.Duplicate, member.Receiver.OnFrames(StreamPackets.Packet(6)));
        Assert.Equal(0, member.Receiver.Counters.Naks);
    }

    [Fact]
    public void Nothing_is_pulled_while_the_region_has_no_members()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        Queue(host, 3);
        network.Run(10_000_000);
        Assert.Equal(0UL, host.Sender.Highest);
        StreamMember member = host.Join();
        network.Run(10_000_000);
        Assert.Equal(3, member.Messages.Count);
    }

    [Fact]
    public void A_disposed_sender_sends_nothing_and_leaves_no_alarm()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, SmallWindow);
        host.Join();
        Queue(host, 20);
        network.Run(100_000);
        host.Sender.Dispose();
        host.Sender.OnReady();
        long datagrams = network.Datagrams;
        network.Run(5_000_000_000);
        Assert.Equal(datagrams, network.Datagrams);
        Assert.Equal(0, network.Core.Alarms.Count);
    }

    internal static void Queue(StreamHost host, int count)
    {
        for (int i = 0; i < count; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
    }
}
