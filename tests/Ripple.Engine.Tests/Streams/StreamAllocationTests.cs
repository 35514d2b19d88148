using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

[Collection(nameof(Alone))]
public sealed class StreamAllocationTests
{
    [Fact]
    public void A_packet_allocates_nothing_on_either_side_once_warm()
    {
        Assert.Empty(Allocation.Again(() => Measure(lossEvery: 0, messageBytes: 300)));
    }

    [Fact]
    public void A_long_message_allocates_nothing_once_warm()
    {
        Assert.Empty(Allocation.Again(() => Measure(lossEvery: 0, messageBytes: 5_000)));
    }

    [Fact]
    public void A_repair_allocates_nothing_once_warm()
    {
        Assert.Empty(Allocation.Again(() => Measure(lossEvery: 7, messageBytes: 3_000)));
    }

    [Fact]
    public void Much_that_is_lost_all_at_once_after_a_time_when_little_was_allocates_nothing()
    {
        Assert.Empty(Allocation.Again(() => Measure(
            lossEvery: 3, messageBytes: 1_300, memberCount: 60, warmUpDatagrams: 200_000, lossEveryBefore: 50, messagesPerRound: 60)));
    }

    [Fact]
    public void Buffers_that_many_messages_took_at_one_time_are_let_go_when_nobody_needs_them()
    {
        const int Kept = 64;
        const int BufferBytes = 8_192;
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(100);
        Array.ForEach(members, m => m.Keeps = false);
        ulong messages = 0;
        Assert.InRange(Receive(), members.Length * BufferBytes, long.MaxValue);
        // Not one: what the first calls of anything take is less than that.
        Assert.InRange(Receive(), 0, BufferBytes - 1);
        network.Run(29_000_000_000);
        Assert.InRange(Receive(), 0, BufferBytes - 1);
        network.Run(60_000_000_000);
        Assert.InRange(Receive(), (members.Length - Kept) * BufferBytes, members.Length * BufferBytes);

        // A message at every member at the same time; the bytes that took.
        long Receive()
        {
            messages++;
            byte[] begin = StreamPackets.Part((2 * messages) - 1, messages, 0, 5_000, 1_000);
            byte[] end = StreamPackets.Part(2 * messages, messages, 1_000, 5_000, 4_000);
            long before = GC.GetAllocatedBytesForCurrentThread();
            foreach (StreamMember member in members)
            {
                member.Receiver.OnFrames(begin);
            }

            foreach (StreamMember member in members)
            {
                member.Receiver.OnFrames(end);
            }

            Assert.Equal((long)messages, members[^1].MessageCount);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    /// <summary>The rounds that allocated, and how many bytes.</summary>
    private static List<string> Measure(
        ulong lossEvery,
        int messageBytes,
        int memberCount = 3,
        int warmUpDatagrams = 40_000,
        ulong lossEveryBefore = 0,
        int messagesPerRound = 20)
    {
        var network = new StreamNetwork();
        // A seventh lost at every member would slow the stream below what a round sends.
        using var host = new StreamHost(network, new StreamOptions { PaceMinBytesPerSecond = 100_000_000 });
        StreamMember[] members = host.Join(memberCount);
        foreach (StreamMember member in members)
        {
            member.Keeps = false;
        }

        ulong every = lossEveryBefore > 0 ? lossEveryBefore : lossEvery;
        if (every > 0)
        {
            network.Drop = (in NodeAddress to, ReadOnlySpan<byte> datagram) =>
                PacketLoss.ClassOf(datagram) == PacketClass.Data && PacketLoss.SequenceOf(datagram) % every == 0;
        }

        byte[] message = new byte[messageBytes];
        // The network's own slots are taken once round; so are those of everything else.
        int warmUpRounds = 0;
        while (network.Datagrams < warmUpDatagrams)
        {
            Round(network, host, members, message, messagesPerRound);
            warmUpRounds++;
        }

        // The sender's window takes its blocks as it fills: it has been fuller than it will be.
        Round(network, host, members, message, 2 * messagesPerRound);
        Assert.True(warmUpRounds > 10);
        every = lossEvery;
        long[] allocated = new long[50];
        for (int i = 0; i < allocated.Length; i++)
        {
            allocated[i] = Round(network, host, members, message, messagesPerRound);
        }

        Assert.True(
            network.RunUntil(() => Array.TrueForAll(members, m => m.MessageCount == host.Sender.Counters.Messages), 10_000_000_000));
        if (lossEvery > 0)
        {
            Assert.True(host.Sender.Counters.Repairs > 100);
        }

        return [.. allocated.Index().Where(r => r.Item != 0).Select(
            r => string.Create(CultureInfo.InvariantCulture, $"round {r.Index}: {r.Item} B"))];
    }

    /// <summary>Returns the bytes that were allocated.</summary>
    private static long Round(StreamNetwork network, StreamHost host, StreamMember[] members, byte[] message, int messages)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < messages; i++)
        {
            host.Queue(1, message);
        }

        host.Sender.OnReady();
        network.Run(20_000_000);
        ulong least = ulong.MaxValue;
        foreach (StreamMember member in members)
        {
            least = Math.Min(least, member.Receiver.Contiguous);
        }

        host.Sender.OnAggregate(host.View.Number, least);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
