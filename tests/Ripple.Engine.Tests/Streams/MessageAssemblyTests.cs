using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class MessageAssemblyTests
{
    private const uint Total = 100_000;

    [Fact]
    public void Assembly_is_bounded_in_bytes_and_what_did_not_fit_comes_by_repair()
    {
        var options = new StreamOptions { AssemblyBytesMax = 2 * WireLimits.MessageBytesMax };
        var network = new StreamNetwork();
        using var host = new StreamHost(network, options);
        StreamMember member = host.Join();
        ulong[] lost = [2, 75, 150, 225, 300, 375];
        network.Drop = PacketLoss.FirstOf(member, lost);
        for (int i = 0; i < 6; i++)
        {
            host.Queue(1, StreamDeliveryTests.Payload(i, 100_000));
        }

        host.Sender.OnReady();
        int heldMax = 0;
        Assert.True(network.RunUntil(
            () =>
            {
                heldMax = Math.Max(heldMax, member.Receiver.AssemblyBytes);
                return member.Messages.Count == 6;
            },
            10_000_000_000));
        Assert.True(member.Receiver.Counters.NoRoom > 0);
        Assert.InRange(heldMax, 1, 2 * WireLimits.MessageBytesMax);
        for (int i = 0; i < 6; i++)
        {
            Assert.Contains(member.Messages, m => m.Message.AsSpan().SequenceEqual(StreamDeliveryTests.Payload(i, 100_000)));
        }
    }

    [Fact]
    public void Assembly_is_bounded_in_messages()
    {
        StreamReceiver receiver = Receiver();
        for (uint i = 0; i < 63; i++)
        {
            Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(10 + (2 * i), 100 + i, 0, 2_000, 1_000)));
        }

        Assert.Equal(ReceiveStatus.NoRoom, receiver.OnFrames(StreamPackets.Part(500, 500, 0, 2_000, 1_000)));
        Assert.Equal(63, receiver.AssemblyCount);
        // The next packet in order always has room.
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(1, 1, 0, 2_000, 1_000)));
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(2, 1, 1_000, 2_000, 1_000)));
        Assert.Equal(1, receiver.Counters.Messages);
        receiver.Dispose();
    }

    [Fact]
    public void What_the_receivers_of_a_core_share_is_bounded_and_each_has_room_for_its_next_packet()
    {
        using var host = new StreamHost(new StreamNetwork());
        StreamMember[] members = host.Join(9);
        Assert.Equal(64 + (8 * 16), Fill(members));
        // Each goes on, packet after packet, with messages that end in the next one.
        byte[] refused = StreamPackets.Part(900, 900, 0, 2_000, 1_000);
        byte[] second = StreamPackets.Packet(2, (ref WireWriter w) =>
        {
            new MessagePart(1, 1, 1_000, 2_000, new byte[1_000]).TryWrite(ref w);
            new MessagePart(1, 2, 0, 1_500, new byte[100]).TryWrite(ref w);
        });
        foreach (byte[] next in (byte[][])[StreamPackets.Part(1, 1, 0, 2_000, 1_000), second, StreamPackets.Part(3, 2, 100, 1_500, 1_400)])
        {
            foreach (StreamMember member in members)
            {
                Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(next));
                Assert.Equal(ReceiveStatus.NoRoom, member.Receiver.OnFrames(refused));
            }
        }

        Assert.All(members, m => Assert.Equal(2, m.MessageCount));
        // What one gives back, the others have.
        members[0].Receiver.Dispose();
        Assert.Equal(ReceiveStatus.Accepted, members[8].Receiver.OnFrames(refused));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_packet_takes_of_what_is_shared_what_it_gave_back_and_not_what_is_kept_for_the_next_one(bool isOwnInUse)
    {
        using var host = new StreamHost(new StreamNetwork());
        StreamMember[] members = host.Join(2);
        StreamReceiver receiver = members[0].Receiver;
        if (isOwnInUse)
        {
            Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(1, 1, 0, 2_000, 1_000)));
        }

        Fill(members);
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(EndAndBegin(11, 100, 700)));
        Assert.Equal(1, members[0].MessageCount);
        Assert.Equal(ReceiveStatus.NoRoom, receiver.OnFrames(StreamPackets.Part(900, 900, 0, 2_000, 1_000)));
        // A forged one: the end of what is in the receiver's own comes too early. That gives the others nothing.
        Assert.Equal(ReceiveStatus.NoRoom, receiver.OnFrames(EndAndBegin(902, 1, 901)));
    }

    [Fact]
    public void Whatever_is_lost_receivers_that_share_too_little_get_everything_in_the_end()
    {
        long refused = 0;
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var random = new DeterministicRandom(seed);
            var network = new StreamNetwork(seed);
            using var host = new StreamHost(network);
            StreamMember[] members = host.Join(8);
            network.Drop = (in NodeAddress _, ReadOnlySpan<byte> _) => random.NextInt64(3) == 0;
            byte[][] messages = [.. Enumerable.Range(0, 200).Select(i => StreamDeliveryTests.Payload(i, 1 + (int)random.NextInt64(4_000)))];
            Array.ForEach(messages, m => host.Queue(1, m));
            host.Sender.OnReady();
            Assert.True(network.RunUntil(
                () =>
                {
                    host.Aggregate();
                    return Array.TrueForAll(members, m => m.Messages.Count == messages.Length);
                },
                60_000_000_000));
            refused += members.Sum(m => m.Receiver.Counters.NoRoom);
            Assert.All(members, m => Assert.Equal(
                messages.Select(Convert.ToHexString).Order(StringComparer.Ordinal), m.Messages.Select(x => Convert.ToHexString(x.Message)).Order(StringComparer.Ordinal)));
        }

        Assert.True(refused > 100, $"Only {refused} packets met a pool that was empty.");
    }

    [Fact]
    public void Receivers_that_come_and_go_leave_as_much_as_they_found()
    {
        using var host = new StreamHost(new StreamNetwork());
        StreamMember stays = host.Join();
        for (int i = 0; i < 100; i++)
        {
            StreamMember goes = host.Join(1)[0];
            StreamReceiver receiver = goes.Receiver;
            // It goes in the midst of a message, or from inside of one.
            goes.OnMessageTaken = receiver.Dispose;
            ulong first = receiver.Contiguous + 1;
            Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(first, 1, 0, 2_000, 1_000)));
            Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(first + 10, 5, 0, 2_000, 1_000)));
            if (i % 2 == 0)
            {
                Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(first + 1, 1, 1_000, 2_000, 1_000)));
                Assert.Equal(1, goes.MessageCount);
            }

            host.Remove(goes);
            goes.Dispose();
        }

        Assert.Equal(64 + 16, Fill([stays, host.Join()]));
    }

    [Fact]
    public void Whole_messages_need_no_room()
    {
        StreamReceiver receiver = Receiver();
        for (uint i = 0; i < 63; i++)
        {
            receiver.OnFrames(StreamPackets.Part(10 + (2 * i), 100 + i, 0, 2_000, 1_000));
        }

        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(600, 700, 0, 1_000, 1_000)));
    }

    [Fact]
    public void Parts_that_lie_are_malformed_and_change_nothing()
    {
        StreamReceiver receiver = Receiver();
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(5, 9, 1_000, Total, 1_000)));
        int held = receiver.AssemblyBytes;
        byte[][] lies =
        [
            StreamPackets.Part(6, 9, 2_000, Total - 1, 1_000),
            StreamPackets.Part(6, 9, 2_000, Total, 1_000, topic: 2),
            StreamPackets.Part(6, 9, 1_500, Total, 1_000),
            StreamPackets.Part(6, 9, 500, Total, 1_000),
            StreamPackets.Part(6, 9, 0, Total, 3_000),
            StreamPackets.Part(6, 9, Total, Total, 1),
            StreamPackets.Part(6, 9, Total - 1, Total, 2),
            StreamPackets.Part(6, 9, 2_000, Total, 0),
            StreamPackets.Part(6, 9, uint.MaxValue, Total, 10),
            StreamPackets.Part(6, 9, 0, uint.MaxValue, 10),
            StreamPackets.Part(6, 9, 0, WireLimits.MessageBytesMax + 1, 10),
            StreamPackets.Packet(0),
            StreamPackets.Packet(StreamPosition.SequenceMax + 1),
            StreamPackets.Packet(6, origin: 78),
            StreamPackets.Packet(6, (ref WireWriter w) => new StreamPosition(StreamHost.Origin, 7).Write(ref w)),
            // A part that is not the end of its message, and something behind it.
            StreamPackets.Packet(6, (ref WireWriter w) =>
            {
                new MessagePart(1, 10, 0, 50, new byte[10]).TryWrite(ref w);
                new MessagePart(1, 11, 0, 10, new byte[10]).TryWrite(ref w);
            }),
            // A part that continues, and something before it.
            StreamPackets.Packet(6, (ref WireWriter w) =>
            {
                new MessagePart(1, 10, 0, 10, new byte[10]).TryWrite(ref w);
                new MessagePart(1, 11, 10, 20, new byte[10]).TryWrite(ref w);
            }),
            // A good message in front of a bad one: nothing of the packet counts.
            StreamPackets.Packet(6, (ref WireWriter w) =>
            {
                new MessagePart(1, 10, 0, 10, new byte[10]).TryWrite(ref w);
                w.WriteU8(2);
            }),
            [],
            [1, 0, 16],
        ];
        foreach (byte[] lie in lies)
        {
            Assert.Equal(ReceiveStatus.Malformed, receiver.OnFrames(lie));
        }

        Assert.Equal(lies.Length, receiver.Counters.Malformed);
        Assert.Equal(0, receiver.Counters.Messages);
        Assert.Equal(held, receiver.AssemblyBytes);
        Assert.Equal(5UL, receiver.Highest);
        receiver.Dispose();
    }

    [Fact]
    public void Frames_of_other_types_in_a_data_packet_are_skipped()
    {
        StreamReceiver receiver = Receiver();
        byte[] packet = StreamPackets.Packet(1, (ref WireWriter w) =>
        {
            int start = FrameWriter.Begin(ref w, (FrameType)200);
            w.WriteU64(1);
            FrameWriter.End(ref w, start);
            new MessagePart(1, 1, 0, 3, new byte[3]).TryWrite(ref w);
        });
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(packet));
        Assert.Equal(1, receiver.Counters.Messages);
    }

    [Fact]
    public void Parts_apart_from_each_other_are_joined_in_any_order()
    {
        var random = new DeterministicRandom(5);
        byte[] message = StreamDeliveryTests.Payload(1, WireLimits.MessageBytesMax);
        for (int round = 0; round < 20; round++)
        {
            var network = new StreamNetwork((ulong)round);
            using var host = new StreamHost(network);
            StreamMember member = host.Join();
            host.Queue(3, message);
            List<byte[]> packets = StreamPackets.PullAll(host);
            // Every second one first: the most ranges there can be.
            foreach (byte[] packet in packets.Where((_, i) => i % 2 == 0).Concat(packets.Where((_, i) => i % 2 == 1).OrderBy(_ => random.NextUInt64())))
            {
                Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(packet));
            }

            Assert.Equal(message, Assert.Single(member.Messages).Message);
        }
    }

    [Fact]
    public void Dispose_returns_every_buffer()
    {
        var pool = new CountingPool();
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join(1, null, pool)[0];
        for (uint i = 0; i < 10; i++)
        {
            member.Receiver.OnFrames(StreamPackets.Part(10 + i, i, 0, 5_000, 1_000));
        }

        Assert.Equal(10, pool.Outstanding);
        member.Receiver.Dispose();
        Assert.Equal(0, pool.Outstanding);
        Assert.Equal(0, member.Receiver.AssemblyBytes);
    }

    /// <summary>A packet with the end of a message of <see cref="Fill"/>, and the beginning of another.</summary>
    private static byte[] EndAndBegin(ulong sequence, ulong ends, ulong begins) => StreamPackets.Packet(sequence, (ref WireWriter w) =>
    {
        new MessagePart(1, ends, 1_000, 2_000, new byte[1_000]).TryWrite(ref w);
        new MessagePart(1, begins, 0, 2_000, new byte[100]).TryWrite(ref w);
    });

    /// <summary>Gives all the beginnings of messages, none of them next, until there is no room; returns how many were taken.</summary>
    private static int Fill(IEnumerable<StreamMember> members)
    {
        int taken = 0;
        foreach (StreamReceiver receiver in members.Select(m => m.Receiver))
        {
            for (uint i = 0; i < 63 && receiver.OnFrames(StreamPackets.Part(10 + (2 * i), 100 + i, 0, 2_000, 1_000)) == ReceiveStatus.Accepted; i++)
            {
                taken++;
            }
        }

        return taken;
    }

    private static StreamReceiver Receiver()
    {
        var network = new StreamNetwork();
        var host = new StreamHost(network);
        return host.Join().Receiver;
    }
}
