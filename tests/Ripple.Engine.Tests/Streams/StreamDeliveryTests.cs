using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class StreamDeliveryTests
{
    [Fact]
    public void Every_member_gets_every_message_in_order()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(3);
        for (int i = 0; i < 200; i++)
        {
            host.Send((uint)(i % 5), Payload(i, 10 + (i * 13 % 700)));
        }

        network.Run(20_000_000);
        foreach (StreamMember member in members)
        {
            Assert.Equal(200, member.Messages.Count);
            for (int i = 0; i < 200; i++)
            {
                Assert.Equal((uint)(i % 5), member.Messages[i].Topic);
                Assert.Equal(Payload(i, 10 + (i * 13 % 700)), member.Messages[i].Message);
            }

            Assert.Equal(host.Sender.Highest, member.Receiver.Contiguous);
            Assert.Equal(0, member.Receiver.Counters.Naks);
        }
    }

    [Fact]
    public void Small_messages_that_are_ready_together_share_a_packet()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        for (int i = 0; i < 20; i++)
        {
            host.Queue(1, Payload(i, 40));
        }

        host.Sender.OnReady();
        network.Run(1_000_000);
        Assert.Equal(20, member.Messages.Count);
        // 20 x (24 + 40) and 20 of the position are 1,300 bytes.
        Assert.Equal(1, host.Sender.Counters.Packets);
        Assert.Equal(1_300, host.Sender.Counters.Bytes);
    }

    [Fact]
    public void A_packet_is_sealed_once_whatever_the_number_of_members()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember[] members = host.Join(40);
        host.Send(1, Payload(1, 100));
        network.Run(1_000_000);
        Assert.All(members, m => Assert.Single(m.Messages));
        Assert.Equal(1, host.Sealer.Sealed);
        Assert.Equal(40, host.Output.Counters.Datagrams);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1_384)]
    [InlineData(1_385)]
    [InlineData(50_000)]
    [InlineData(WireLimits.MessageBytesMax)]
    public void A_message_of_any_size_arrives_whole(int bytes)
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        host.Queue(1, Payload(1, 300));
        host.Queue(2, Payload(2, bytes));
        host.Send(3, Payload(3, 300));
        network.Run(20_000_000);
        Assert.Equal(3, member.Messages.Count);
        Assert.Equal(Payload(2, bytes), member.Messages[1].Message);
        Assert.Equal(0, member.Receiver.AssemblyBytes);
    }

    [Fact]
    public void Messages_that_cross_packets_leave_no_padding()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        for (int i = 0; i < 100; i++)
        {
            host.Queue(1, Payload(i, 1_000));
        }

        host.Sender.OnReady();
        network.Run(10_000_000);
        Assert.Equal(100, member.Messages.Count);
        // All packets but the last are full, or short by less than the least part.
        Assert.InRange(host.Sender.Counters.Bytes, (host.Sender.Counters.Packets - 1) * (WireLimits.FramesBytesMax - 88), long.MaxValue);
    }

    [Fact]
    public void A_message_too_long_for_a_stream_is_refused_loudly()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        host.Join();
        host.Send(1, new byte[WireLimits.MessageBytesMax + 1]);
        Assert.Throws<InvalidOperationException>(() => network.Run(1_000_000));
    }

    [Fact]
    public void A_joiner_in_the_middle_of_a_message_gets_the_next_ones_and_holds_nothing()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(
            network, new StreamOptions { PaceBurstBytes = 1, PaceStartBytesPerSecond = 10_000_000, PaceMaxBytesPerSecond = 10_000_000 });
        StreamMember early = host.Join();
        host.Queue(1, Payload(1, 20_000));
        host.Send(1, Payload(2, 5_000));
        network.Run(500_000);
        Assert.InRange(host.Sender.Highest, 2UL, 10UL);
        StreamMember late = host.Join();
        network.Run(50_000_000);
        Assert.Equal(2, early.Messages.Count);
        Assert.Equal(Payload(2, 5_000), Assert.Single(late.Messages).Message);
        Assert.Equal(0, late.Receiver.AssemblyCount);
        Assert.Equal(0, late.Receiver.Counters.Naks);
    }

    [Fact]
    public void A_handler_may_dispose_of_the_receiver_from_inside_a_message()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network);
        StreamMember member = host.Join();
        member.OnMessageTaken = member.Receiver.Dispose;
        host.Queue(1, Payload(1, 10));
        host.Send(1, Payload(2, 10));
        network.Run(1_000_000);
        Assert.Single(member.Messages);
        Assert.Equal(0, member.ProgressCount);
    }

    [Fact]
    public void The_pace_holds_after_the_first_burst()
    {
        var network = new StreamNetwork();
        using var host = new StreamHost(network, new StreamOptions
        {
            PaceStartBytesPerSecond = 1_000_000,
            PaceMinBytesPerSecond = 1_000_000,
            PaceMaxBytesPerSecond = 1_000_000,
            PaceBurstBytes = 14_000,
            WindowPackets = 2_048,
        });
        StreamMember member = host.Join();
        for (int i = 0; i < 1_000; i++)
        {
            host.Queue(1, Payload(i, 1_000));
        }

        host.Sender.OnReady();
        network.Run(100_000_000);
        Assert.InRange(host.Sender.Counters.Bytes, 100_000, 100_000 + 14_000 + (2 * 1_428));
        network.Run(1_000_000_000);
        Assert.Equal(1_000, member.Messages.Count);
    }

    internal static byte[] Payload(int number, int bytes)
    {
        var payload = new byte[bytes];
        ulong state = (ulong)number;
        for (int i = 0; i < bytes; i++)
        {
            payload[i] = (byte)Ripple.Engine.Core.DeterministicRandom.SplitMix(ref state);
        }

        return payload;
    }
}
