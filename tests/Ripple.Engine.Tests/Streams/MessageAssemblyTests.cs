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
    public void Whatever_is_lost_a_receiver_with_too_little_room_gets_everything_in_the_end()
    {
        long refused = 0;
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var random = new DeterministicRandom(seed);
            var network = new StreamNetwork(seed);
            using var host = new StreamHost(network);
            StreamMember[] members = host.Join(8, new StreamOptions { AssemblyCountMax = 2 + (int)(seed % 8) });
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
                messages.Select(Convert.ToHexString).Order(StringComparer.Ordinal),
                m.Messages.Select(x => Convert.ToHexString(x.Message)).Order(StringComparer.Ordinal)));
        }

        Assert.True(refused > 100, $"Only {refused} packets found no room.");
    }

    [Theory]
    [InlineData(1)]
    [InlineData((2 * StreamReceiver.WindowPackets) + 1)]
    public void A_number_of_messages_that_makes_no_sense_is_refused(int count)
    {
        using var host = new StreamHost(new StreamNetwork());

        Assert.Throws<ArgumentOutOfRangeException>(() => host.Join(1, new StreamOptions { AssemblyCountMax = count }));
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
    public void A_message_of_which_somebody_forged_a_part_does_not_hold_up_the_stream_and_comes_if_its_first_part_comes()
    {
        StreamReceiver receiver = Receiver();
        // Another length than the genuine one has, and bytes of it beyond a hole.
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(4, 9, 2_500, 6_000, 1_000)));
        Assert.Equal(ReceiveStatus.Malformed, receiver.OnFrames(StreamPackets.Part(2, 9, 1_000, 3_000, 1_000)));

        // What is next in order counts.
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(1, 9, 0, 3_000, 1_000)));
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(2, 9, 1_000, 3_000, 1_000)));
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(3, 9, 2_000, 3_000, 1_000)));
        Assert.Equal(4UL, receiver.Contiguous);
        Assert.Equal((1L, 1L), (receiver.Counters.Messages, receiver.Counters.MessagesAbandoned));
        Assert.Equal((0, 0), (receiver.AssemblyCount, receiver.AssemblyBytes));
        receiver.Dispose();
    }

    [Fact]
    public void A_later_part_that_contradicts_a_forged_one_is_taken_and_its_message_given_up()
    {
        StreamReceiver receiver = Receiver();
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(1, 9, 0, 3_000, 1_000)));
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(3, 9, 1_500, 3_000, 1_000)));
        byte[] overlapping = StreamPackets.Packet(2, (ref WireWriter w) =>
        {
            new MessagePart(1, 9, 1_000, 2_000, new byte[1_000]).TryWrite(ref w);
            new MessagePart(1, 10, 0, 3, new byte[3]).TryWrite(ref w);
        });
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(overlapping));

        // The rest of the packet, which is another message, is delivered.
        Assert.Equal((1L, 1L), (receiver.Counters.Messages, receiver.Counters.MessagesAbandoned));
        Assert.Equal(3UL, receiver.Contiguous);
        Assert.Equal((0, 0), (receiver.AssemblyCount, receiver.AssemblyBytes));
        receiver.Dispose();
    }

    [Fact]
    public void Two_parts_of_one_message_in_one_packet_that_contradict_each_other_leave_nothing_wrong_behind()
    {
        StreamReceiver receiver = Receiver();
        byte[] packet = StreamPackets.Packet(5, (ref WireWriter w) =>
        {
            new MessagePart(1, 9, 500, 1_200, new byte[700]).TryWrite(ref w);
            new MessagePart(1, 9, 0, 1_200, new byte[700]).TryWrite(ref w);
        });
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(packet));
        Assert.Equal((1, 1_200), (receiver.AssemblyCount, receiver.AssemblyBytes));

        // Of the two, the second is held: the rest of it completes the message.
        Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(StreamPackets.Part(6, 9, 700, 1_200, 500)));
        Assert.Equal((0, 0), (receiver.AssemblyCount, receiver.AssemblyBytes));
        Assert.Equal(1, receiver.Counters.Messages);
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
            foreach (byte[] packet in packets.Where((_, i) => i % 2 == 0).Concat(
                packets.Where((_, i) => i % 2 == 1).OrderBy(_ => random.NextUInt64())))
            {
                Assert.Equal(ReceiveStatus.Accepted, member.Receiver.OnFrames(packet));
            }

            Assert.Equal(message, Assert.Single(member.Messages).Message);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Receivers_that_go_leave_their_buffers_to_those_that_come(bool isInsideOfAMessage)
    {
        const int Total = 30_000;
        const int BufferBytes = 32_768;
        using var host = new StreamHost(new StreamNetwork());
        Assert.InRange(TakeAndGo(), 10 * BufferBytes, long.MaxValue);
        for (int i = 0; i < 10; i++)
        {
            // Not one buffer: what a receiver takes at its first loss is less.
            Assert.InRange(TakeAndGo(), 0, BufferBytes - 1);
        }

        // The bytes that ten messages took, of which one may have become complete.
        long TakeAndGo()
        {
            StreamMember member = host.Join();
            member.Keeps = false;
            StreamReceiver receiver = member.Receiver;
            member.OnMessageTaken = receiver.Dispose;
            byte[][] begins = [.. Enumerable.Range(0, 10).Select(i => StreamPackets.Part(10 + ((ulong)i * 2), (ulong)i, 0, Total, 1_000))];
            byte[] end = StreamPackets.Part(29, 9, 1_000, Total, Total - 1_000);
            long before = GC.GetAllocatedBytesForCurrentThread();
            foreach (byte[] begin in begins)
            {
                Assert.Equal(ReceiveStatus.Accepted, receiver.OnFrames(begin));
            }

            if (isInsideOfAMessage)
            {
                receiver.OnFrames(end);
                Assert.Equal(1, member.MessageCount);
            }

            long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
            receiver.Dispose();
            Assert.Equal((0, 0), (receiver.AssemblyCount, receiver.AssemblyBytes));
            host.Remove(member);
            return bytes;
        }
    }

    private static StreamReceiver Receiver()
    {
        var network = new StreamNetwork();
        var host = new StreamHost(network, new StreamOptions { AssemblyCountMax = 64 });
        return host.Join().Receiver;
    }
}
