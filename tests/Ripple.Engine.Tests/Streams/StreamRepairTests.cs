using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;
using Ripple.Simulator.Stack;

namespace Ripple.Engine.Tests.Streams;

public sealed class StreamRepairTests
{
    [Fact]
    public void The_loss_of_any_one_packet_is_repaired_at_the_loser_alone()
    {
        for (ulong lost = 1; lost <= 12; lost++)
        {
            var network = new StreamNetwork(lost);
            using var host = new StreamHost(network);
            StreamMember[] members = host.Join(3);
            network.Drop = PacketLoss.FirstOf(members[1], lost);
            for (int i = 0; i < 12; i++)
            {
                host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
            }

            host.Sender.OnReady();
            network.Run(20_000_000);
            Assert.Equal(12UL, host.Sender.Highest);
            foreach (StreamMember member in members)
            {
                Assert.Equal(12, member.Messages.Count);
                Assert.Equal(12UL, member.Receiver.Contiguous);
            }

            Assert.Equal(1, members[1].Receiver.Counters.Naks);
            Assert.Equal(1, host.Sender.Counters.Repairs);
            Assert.Equal(1, host.Sender.Counters.Naks);
            Assert.Equal(0, members[0].Receiver.Counters.Duplicates + members[2].Receiver.Counters.Duplicates);
        }
    }

    [Fact]
    public void The_loss_of_any_part_of_a_long_message_is_repaired()
    {
        byte[] message = StreamDeliveryTests.Payload(9, 10_000);
        for (ulong lost = 1; lost <= 8; lost++)
        {
            var network = new StreamNetwork(lost);
            using var host = new StreamHost(network);
            StreamMember member = host.Join();
            network.Drop = PacketLoss.FirstOf(member, lost, lost + 2);
            host.Send(4, message);
            network.Run(20_000_000);
            Assert.Equal(message, Assert.Single(member.Messages).Message);
            Assert.Equal(0, member.Receiver.AssemblyBytes);
        }
    }

    [Fact]
    public void A_lost_tail_is_seen_by_the_beacon_and_repaired()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        network.Drop = PacketLoss.FirstOf(member, 3);
        for (int i = 0; i < 3; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
        network.Run(2_900_000);
        Assert.Equal(2, member.Messages.Count);
        Assert.Equal(0, member.Receiver.Counters.Naks);
        network.Run(2_000_000);
        Assert.Equal(3, member.Messages.Count);
    }

    [Fact]
    public void A_stream_of_which_everything_was_lost_is_repaired()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) => PacketLoss.ClassOf(datagram) == PacketClass.Data;
        for (int i = 0; i < 300; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
        network.Run(100_000_000);
        Assert.Equal(300, member.Messages.Count);
    }

    [Fact]
    public void Beacons_double_their_distance_and_end_when_all_have_everything()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        host.Send(1, [1]);
        // After 3, 3 + 6, 9 + 12, 21 + 24, 45 + 48 ms.
        network.Run(100_000_000);
        Assert.Equal(5, host.Sender.Counters.Beacons);
        Assert.Equal(5, member.Receiver.Counters.Beacons);
        network.Run(10_000_000_000);
        Assert.InRange(host.Sender.Counters.Beacons, 15, 20);
        host.Aggregate();
        Assert.Equal(1UL, host.Sender.Floor);
        long before = host.Sender.Counters.Beacons;
        network.Run(10_000_000_000);
        Assert.Equal(before, host.Sender.Counters.Beacons);
    }

    [Fact]
    public void Duplicates_are_delivered_once()
    {
        var network = new StreamNetwork { Faults = new FaultPolicy { DuplicateProbability = 1 } };
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        for (int i = 0; i < 50; i++)
        {
            host.Send(1, StreamDeliveryTests.Payload(i, 2_000));
        }

        network.Run(10_000_000);
        Assert.Equal(50, member.Messages.Count);
        Assert.Equal(host.Sender.Counters.Packets, member.Receiver.Counters.Duplicates);
    }

    [Fact]
    public void A_gap_that_reordering_fills_within_the_spread_is_not_asked_for()
    {
        var network = new StreamNetwork(3);
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        List<byte[]> packets = Packets(host, 6);
        foreach (int i in new[] { 1, 0, 3, 5, 2, 4 })
        {
            Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(packets[i]));
        }

        network.Run(2_000_000);
        Assert.Equal(6, member.Messages.Count);
        Assert.Equal(0, member.Receiver.Counters.Naks);
    }

    [Fact]
    public void A_request_is_repeated_with_growing_distance_until_it_is_answered()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        var asked = new List<long>();
        bool isDeaf = true;
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
        {
            if (PacketLoss.ClassOf(datagram) == PacketClass.Nak)
            {
                asked.Add(network.Core.NowNs);
                return isDeaf;
            }

            return PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) == 1;
        };
        host.Queue(1, StreamDeliveryTests.Payload(0, 1_384));
        host.Send(1, StreamDeliveryTests.Payload(1, 1_384));
        network.Run(3_000_000_000);
        long[] distances = [.. asked.Zip(asked.Skip(1), (a, b) => b - a)];
        Assert.Equal([5_000_000, 10_000_000, 20_000_000, 40_000_000, 80_000_000, 160_000_000, 320_000_000, 500_000_000], distances[..8]);
        isDeaf = false;
        network.Run(600_000_000);
        Assert.Equal(2, member.Messages.Count);
        // Nobody knows which request was answered.
        Assert.Equal(StreamOptions.Default.FirstRttNs, member.Receiver.RttNs);
        int before = asked.Count;
        network.Run(3_000_000_000);
        Assert.Equal(before, asked.Count);
    }

    [Fact]
    public void The_round_trip_is_measured_from_the_first_request_to_its_repair()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        network.Drop = PacketLoss.FirstOf(member, 1);
        host.Queue(1, StreamDeliveryTests.Payload(0, 1_384));
        host.Send(1, StreamDeliveryTests.Payload(1, 1_384));
        network.Run(10_000_000);
        Assert.Equal(2 * StreamNetwork.LatencyNs, member.Receiver.RttNs);
    }

    [Fact]
    public void The_same_request_within_the_suppression_time_is_answered_once()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(2);
        host.Send(1, [1]);
        network.Run(1_000_000);
        byte[] nak = Nak(StreamHost.Origin, 1);
        for (int i = 0; i < 5; i++)
        {
            Ask(host, members[0], nak);
        }

        Ask(host, members[1], nak);
        network.Run(1_000_000);
        Assert.Equal(2, host.Sender.Counters.Repairs);
        Assert.Equal(4, host.Sender.Counters.RepairsSuppressed);
        Ask(host, members[0], nak);
        network.Run(1_500_000);
        Assert.Equal(2, host.Sender.Counters.Repairs);
        Ask(host, members[0], nak);
        network.Run(1_000_000);
        Assert.Equal(3, host.Sender.Counters.Repairs);
        Assert.Single(members[0].Messages);
    }

    [Fact]
    public void Requests_for_what_was_never_sent_or_of_another_stream_do_nothing()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        host.Send(1, [1]);
        network.Run(1_000_000);
        Ask(host, member, Nak(StreamHost.Origin, 2, 3, 1_000));
        Ask(host, member, Nak(StreamHost.Origin, 1UL << 50));
        Ask(host, member, Nak(StreamHost.Origin + 1, 1));
        Ask(host, member, [1, 2, 3]);
        network.Run(1_000_000);
        Assert.Equal(0, host.Sender.Counters.Repairs);
        Assert.Equal(2, host.Sender.Counters.NaksUnsent);
        Assert.Equal(2, host.Sender.Counters.NaksMalformed);
    }

    [Fact]
    public void Repairs_are_bounded_and_what_did_not_fit_is_asked_for_again()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, new StreamOptions { RepairsMax = 10 });
        StreamMember member = host.Join();
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) <= 40;
        for (int i = 0; i < 50; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
        network.Run(5_000_000_000);
        Assert.Equal(50, member.Messages.Count);
        Assert.True(host.Sender.Counters.RepairsRefused > 0);
    }

    [Fact]
    public void Two_requests_ask_for_all_of_a_thousand_scattered_losses()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(
            network, new StreamOptions { RepairsMax = 2_048, PaceBurstBytes = 4 << 20, PaceStartBytesPerSecond = 1_000_000_000 });
        StreamMember member = host.Join();
        List<byte[]> packets = Packets(host, 2_047);
        for (int i = 0; i < packets.Count; i += 2)
        {
            Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(packets[i]));
        }

        // The repairs take longer than the time after which a request is repeated.
        network.Run(3_000_000);
        Assert.InRange(member.Receiver.Counters.Naks, 1, 2);
        network.Run(1_000_000_000);
        Assert.Equal(2_047, member.Messages.Count);
        Assert.Equal(1_023, host.Sender.Counters.Repairs);
    }

    [Fact]
    public void Losses_that_follow_each_other_within_a_round_trip_share_a_request()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        List<byte[]> packets = Packets(host, 200);
        // One loss each 10 us, for two assumed round-trips of at most 1 ms.
        for (int i = 0; i < packets.Count; i += 2)
        {
            member.Receiver.OnFrames(packets[i]);
            network.Run(10_000);
        }

        network.Run(1_000_000_000);
        Assert.Equal(200, member.Messages.Count);
        Assert.InRange(member.Receiver.Counters.Naks, 1, 10);
    }

    [Fact]
    public void The_loss_of_every_other_packet_is_repaired()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
            PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) % 2 == 1;
        for (int i = 0; i < 1_500; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
        }

        host.Sender.OnReady();
        network.Run(1_000_000_000);
        Assert.Equal(1_500, member.Messages.Count);
        Assert.Equal(750, host.Sender.Counters.Repairs);
    }

    /// <summary>The frames of packets 1 to count of the host's stream, without sending them; each holds one message.</summary>
    internal static List<byte[]> Packets(StreamHost host, int count)
    {
        var packets = new List<byte[]>();
        var frames = new byte[WireLimits.FramesBytesMax];
        for (int i = 0; i < count; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 1_384));
            packets.Add(frames[..host.Sender.PullFrames(frames)]);
        }

        return packets;
    }

    /// <summary>The payload of a request for some sequences.</summary>
    internal static byte[] Nak(ulong origin, params ulong[] sequences)
    {
        ulong start = sequences[0] / 64 * 64;
        var missing = new ulong[NakFrame.WordsMax];
        foreach (ulong sequence in sequences)
        {
            missing[(sequence - start) / 64] |= 1UL << (int)(sequence % 64);
        }

        var frame = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frame);
        NakFrame.Write(ref writer, origin, start, missing);
        return frame[FrameReader.HeaderBytes..writer.Position];
    }

    private static void Ask(StreamHost host, StreamMember member, byte[] nak) =>
        host.Sender.OnNak(member.DataPort.LocalAddress, member.ControlPort.LocalAddress, nak);
}
