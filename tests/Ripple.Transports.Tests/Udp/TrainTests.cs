using System.Buffers.Binary;
using System.Net;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Transports.Running;
using Ripple.Transports.Tests.Running;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Udp;

public sealed class TrainTests
{
    [Theory]
    [InlineData(WireLimits.TrainPacketsMax, WireLimits.DatagramBytesMax)]
    [InlineData(3, 700)]
    [InlineData(1, 44)]
    public async Task A_train_arrives_packet_by_packet_as_it_was_sent(int packets, int lastBytes)
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: packets);
        UdpPort to = await OpenAsync(core, new UdpPortOptions(), handler);
        UdpPort from = await OpenAsync(core, new UdpPortOptions(), null);
        byte[] train = NumberedPackets.Train(packets, lastBytes);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            Assert.Equal(SendStatus.Sent, from.SendTrain(to.LocalAddress, train, WireLimits.DatagramBytesMax, out int doneBytes));
            Assert.Equal(train.Length, doneBytes);
        }));
        await CoreOnThread.Soon(handler.Done);
        Assert.Equal(packets, to.Counters.Received);
        Assert.Equal(packets, from.Counters.Sent);
        Assert.Equal(train.Length, to.Counters.ReceivedBytes);
    }

    [Fact]
    public async Task Linux_sends_and_takes_a_train_in_one_call()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Segmentation offload of UDP is used on Linux alone.");
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: 88);
        UdpPort to = await OpenAsync(core, new UdpPortOptions(), handler);
        UdpPort from = await OpenAsync(core, new UdpPortOptions(), null);
        Assert.True(from.SendsSegmented);
        Assert.True(to.ReceivesCoalesced);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(44, WireLimits.DatagramBytesMax), WireLimits.DatagramBytesMax, out _);
            from.SendTrain(
                to.LocalAddress, NumberedPackets.Train(44, WireLimits.DatagramBytesMax, first: 44), WireLimits.DatagramBytesMax, out _);
        }));
        await CoreOnThread.Soon(handler.Done);
        Assert.Equal(2, from.Counters.Trains);
        Assert.Equal(2, to.Counters.Reads);
    }

    [Fact]
    public async Task Trains_and_single_datagrams_of_other_sizes_do_not_disturb_each_other()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: 16);
        UdpPort to = await OpenAsync(core, new UdpPortOptions(), handler);
        UdpPort from = await OpenAsync(core, new UdpPortOptions(), null);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(5, 100), WireLimits.DatagramBytesMax, out _);
            from.Send(to.LocalAddress, NumberedPackets.Packet(5, 1_000));
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(5, 300, first: 6, packetBytes: 300), 300, out _);
            from.Send(to.LocalAddress, NumberedPackets.Packet(11, WireLimits.DatagramBytesMax));
            from.Send(to.LocalAddress, NumberedPackets.Packet(12, 50));
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(3, 60, first: 13), WireLimits.DatagramBytesMax, out _);
        }));
        await CoreOnThread.Soon(handler.Done);
    }

    [Fact]
    public async Task A_destination_that_takes_no_trains_gets_one_datagram_a_call_and_the_others_keep_theirs()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Segmentation offload of UDP is used on Linux alone.");
        const int packets = 200;
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: packets + 3);
        var others = new NumberedPackets(awaited: 3);
        UdpPort to = await OpenAsync(core, new UdpPortOptions(), handler);
        UdpPort other = await OpenAsync(core, new UdpPortOptions(), others);
        UdpPort from = await OpenAsync(core, new UdpPortOptions(), null);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            // More segments than a kernel cuts one send into.
            byte[] train = NumberedPackets.Train(packets, 44, packetBytes: 44);
            Assert.Equal(SendStatus.Sent, from.SendTrain(to.LocalAddress, train, 44, out int doneBytes));
            Assert.Equal(train.Length, doneBytes);
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(3, 100, first: packets), WireLimits.DatagramBytesMax, out _);
            Assert.Equal(0, from.Counters.Trains);
            from.SendTrain(other.LocalAddress, NumberedPackets.Train(3, 100), WireLimits.DatagramBytesMax, out _);
        }));
        await CoreOnThread.Soon(Task.WhenAll(handler.Done, others.Done));
        Assert.Equal(1, from.Counters.TrainsRefused);
        Assert.Equal(1, from.Counters.Trains);
        Assert.True(from.SendsSegmented);
        Assert.Equal(packets + 6, from.Counters.Sent);
        Assert.Equal(0, from.Counters.Failed);
    }

    [Fact]
    public async Task An_address_that_takes_nothing_costs_nobody_else_trains()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Segmentation offload of UDP is used on Linux alone.");
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: 6);
        UdpPort to = await OpenAsync(core, new UdpPortOptions(), handler);
        UdpPort from = await OpenAsync(core, new UdpPortOptions(), null);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            NodeAddress portless = to.LocalAddress with { Port = 0 };
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(3, 100), WireLimits.DatagramBytesMax, out _);
            byte[] lost = NumberedPackets.Train(3, 100);
            Assert.Equal(SendStatus.Failed, from.SendTrain(portless, lost, WireLimits.DatagramBytesMax, out int doneBytes));
            Assert.Equal(lost.Length, doneBytes);
            Assert.Equal(SendStatus.Failed, from.Send(portless, NumberedPackets.Packet(0, 100)));
            from.SendTrain(to.LocalAddress, NumberedPackets.Train(3, 100, first: 3), WireLimits.DatagramBytesMax, out _);
        }));
        await CoreOnThread.Soon(handler.Done);
        Assert.Equal(2, from.Counters.Trains);
        Assert.Equal(4, from.Counters.Failed);
    }

    [Fact]
    public async Task Without_trains_every_datagram_is_a_call()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new NumberedPackets(awaited: 10);
        UdpPort to = await OpenAsync(core, new UdpPortOptions { AreTrainsUsed = false }, handler);
        UdpPort from = await OpenAsync(core, new UdpPortOptions { AreTrainsUsed = false }, null);
        await CoreOnThread.Soon(
            core.Runner.RunAsync(() => from.SendTrain(to.LocalAddress, NumberedPackets.Train(10, 90), WireLimits.DatagramBytesMax, out _)));
        await CoreOnThread.Soon(handler.Done);
        Assert.False(from.SendsSegmented);
        Assert.False(to.ReceivesCoalesced);
        Assert.Equal(0, from.Counters.Trains);
        Assert.Equal(10, to.Counters.Reads);
    }

    [Fact]
    public async Task A_group_port_takes_its_group_and_nothing_else()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var first = new NumberedPackets(awaited: 44);
        var second = new NumberedPackets(awaited: 44);
        var other = new NumberedPackets(awaited: 1);
        IPAddress group = IPAddress.Parse("239.77.1.1");
        UdpPort from = await OpenAsync(core, new UdpPortOptions { Multicast = new UdpMulticastOptions() }, null);
        UdpPort one = await JoinAsync(core, group, TestPorts.Udp(), first);
        int port = one.LocalAddress.Port;
        UdpPort two = await JoinAsync(core, group, port, second);
        UdpPort three = await JoinAsync(core, IPAddress.Parse("239.77.1.2"), port, other);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            Assert.Equal(
                SendStatus.Sent, from.SendTrain(one.LocalAddress, NumberedPackets.Train(44, 200), WireLimits.DatagramBytesMax, out _));
            Assert.Equal(SendStatus.Sent, from.Send(three.LocalAddress, NumberedPackets.Packet(0, 500)));
        }));
        await CoreOnThread.Soon(Task.WhenAll(first.Done, second.Done, other.Done));
        Assert.Equal([44, 44, 1], [one.Counters.Received, two.Counters.Received, three.Counters.Received]);
    }

    [Fact]
    public async Task What_is_no_group_and_what_cannot_join_is_refused_with_the_reason()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var unicast = new UdpGroupOptions { Group = IPAddress.Parse("10.0.0.1"), Port = 9_100 };
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(
            () => core.Runner.RunAsync(() => core.Ports.OpenGroup(unicast)));
        Assert.Contains("224.0.0.0", error.Message, StringComparison.Ordinal);
        UdpGroupOptions mixed = unicast with { Group = IPAddress.Parse("ff02::77") };
        error = await Assert.ThrowsAsync<ArgumentException>(() => core.Runner.RunAsync(() => core.Ports.OpenGroup(mixed)));
        Assert.Contains("family", error.Message, StringComparison.Ordinal);
    }

    private static Task<UdpPort> OpenAsync(CoreOnThread core, UdpPortOptions options, IDatagramHandler? handler) =>
        CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort port = core.Ports.Open(options);
            port.Handler = handler;
            return port;
        }));

    private static Task<UdpPort> JoinAsync(CoreOnThread core, IPAddress group, int port, IDatagramHandler handler) =>
        CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort joined = core.Ports.OpenGroup(new UdpGroupOptions { Group = group, Port = port });
            joined.Handler = handler;
            return joined;
        }));

    /// <summary>Packets that say their length and their number, and are filled with it; done when all came in order.</summary>
    private sealed class NumberedPackets(int awaited) : IDatagramHandler
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _count;

        public Task Done => _done.Task;

        public static byte[] Train(int packets, int lastBytes, int first = 0, int packetBytes = WireLimits.DatagramBytesMax) =>
            [.. Enumerable.Range(0, packets).SelectMany(i => Packet(first + i, i == packets - 1 ? lastBytes : packetBytes))];

        public static byte[] Packet(int number, int bytes)
        {
            byte[] packet = new byte[bytes];
            packet.AsSpan(8).Fill((byte)number);
            packet[0] = PacketHeader.Version;
            packet[1] = (byte)PacketClass.Data;
            BinaryPrimitives.WriteUInt16LittleEndian(packet.AsSpan(2), (ushort)bytes);
            BinaryPrimitives.WriteInt32LittleEndian(packet.AsSpan(4), number);
            return packet;
        }

        public void OnDatagram(Span<byte> datagram)
        {
            if (!datagram.SequenceEqual(Packet(_count, datagram.Length)))
            {
                _done.TrySetException(new InvalidOperationException($"Packet {_count} of {datagram.Length} bytes is not what was sent."));
            }

            if (++_count == awaited)
            {
                _done.TrySetResult();
            }
        }
    }
}
