using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class IoQueueTests
{
    [Fact]
    public void Classes_go_in_order_of_priority_and_first_in_first_out_within()
    {
        CoreLoop core = Cores.Make();
        var handler = new RecordingHandler();
        core.Receive(PacketClass.Data, 1, handler);
        core.Receive(PacketClass.Repair, 2, handler);
        core.Receive(PacketClass.Data, 3, handler);
        core.Receive(PacketClass.Nak, 4, handler);
        core.Receive(PacketClass.Control, 5, handler);
        core.Receive(PacketClass.Control, 6, handler);
        Assert.Equal(2, core.Io.CountOf(PacketClass.Control));
        Assert.Equal(6, core.Io.Count);
        Assert.Equal(0, core.NextDueNs);

        core.DoWork(1);
        Assert.Equal([5, 6, 4, 2, 1, 3], handler.Contents);
        Assert.Equal(0, core.Io.Count);
    }

    [Fact]
    public void A_datagram_without_a_class_is_the_least_urgent_of_its_lane()
    {
        CoreLoop core = Cores.Make();
        Receive(core, PortLane.Data, [0x11], new RecordingHandler());
        Receive(core, PortLane.Control, [0x11], new RecordingHandler());
        Assert.Equal(1, core.Io.CountOf(PacketClass.Data));
        Assert.Equal(1, core.Io.CountOf(PacketClass.Nak));
    }

    [Fact]
    public void The_room_of_a_lane_is_its_own_whatever_class_its_packets_claim()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 4, IsChecked = true });
        var handler = new RecordingHandler();
        while (core.Io.TryReserve(PortLane.Data, 2_048, out _))
        {
            Receive(core, PortLane.Data, [0x11, (byte)PacketClass.Control, 1], handler);
        }

        Assert.Equal(0, core.Io.CountOf(PacketClass.Control));
        Assert.True(core.Io.TryReserve(PortLane.Control, 2_048, out _));
        core.Receive(PacketClass.Control, 2, handler);
        core.DoWork(1);
        Assert.Equal([2, 1, 1, 1, 1], handler.Contents);
    }

    [Fact]
    public void A_train_is_split_by_the_lengths_of_its_packets()
    {
        CoreLoop core = Cores.Make();
        var handler = new LengthHandler();
        Receive(
            core,
            PortLane.Data,
            [
                .. Packet(1_472, PacketClass.Data),
                .. Packet(1_472, PacketClass.Repair),
                .. Packet(1_472, PacketClass.Data),
                .. Packet(300, PacketClass.Data),
            ],
            handler,
            packets: 4);
        Assert.Equal(4, core.Io.Count);
        Assert.Equal(3, core.Io.CountOf(PacketClass.Data));
        core.DoWork(1);
        Assert.Equal([(1_472, 2), (1_472, 3), (1_472, 3), (300, 3)], handler.Packets);
        Assert.Equal(0, core.Io.Count);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(43)]
    [InlineData(200)]
    public void Bytes_that_do_not_say_where_a_packet_ends_are_one_packet(int lie)
    {
        CoreLoop core = Cores.Make();
        var handler = new LengthHandler();
        byte[] second = Packet(150, PacketClass.Data);
        second[2] = (byte)lie;
        Receive(core, PortLane.Data, [.. Packet(100, PacketClass.Data), .. second], handler, packets: 2);
        core.DoWork(1);
        Assert.Equal([(100, 3), (150, 3)], handler.Packets);
    }

    [Fact]
    public void A_train_is_handled_in_parts_when_the_turn_allows_no_more()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoQuantum = 3, IsChecked = true });
        var handler = new LengthHandler();
        Receive(core, PortLane.Data, [.. Enumerable.Range(0, 8).SelectMany(_ => Packet(100, PacketClass.Data))], handler, packets: 8);
        core.DoWork(1);
        Assert.Equal(3, handler.Packets.Count);
        core.Receive(PacketClass.Control, 1, handler);
        core.DoWork(2);
        Assert.Equal([3, 3, 3, 0, 3, 3], handler.Packets.Select(p => p.Class));
        core.Forget(handler);
        Assert.Equal(0, core.Io.Count);
        core.DoWork(3);
        Assert.Equal(6, handler.Packets.Count);
    }

    [Fact]
    public void The_queue_is_bounded_and_says_when_it_has_room()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 2, IsChecked = true });
        var handler = new RecordingHandler();
        core.Receive(PacketClass.Data, 1, handler);
        core.Receive(PacketClass.Data, 2, handler);
        Assert.False(core.Io.TryReserve(PortLane.Data, 2_048, out _));
        Assert.Equal(2, core.Io.Count);
        core.DoWork(1);
        Assert.True(core.Io.TryReserve(PortLane.Data, 2_048, out _));
        Assert.Equal([1, 2], handler.Contents);
    }

    [Fact]
    public void A_lane_without_a_free_buffer_leaves_the_rest_in_the_kernel()
    {
        CoreLoop core = Cores.Make(new CoreOptions { SlabsPerLane = 2, DataSlabBytes = 4_096, IsChecked = true });
        var handler = new RecordingHandler();
        int received = 0;
        while (core.Io.TryReserve(PortLane.Data, 2_000, out Span<byte> room))
        {
            room[..2_000].Clear();
            room[1] = 3;
            core.Io.Commit(PortLane.Data, 2_000, handler);
            received++;
        }

        Assert.Equal(4, received);
        core.DoWork(1);
        Assert.True(core.Io.TryReserve(PortLane.Data, 2_000, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => core.Io.TryReserve(PortLane.Data, 4_097, out _));
    }

    [Fact]
    public void Runs_of_one_datagram_beyond_the_bound_are_dropped_and_counted()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 2, IsChecked = true });
        var handler = new LengthHandler();
        byte[] mixed = [.. Enumerable.Range(0, 8).SelectMany(i => Packet(100, i % 2 == 0 ? PacketClass.Data : PacketClass.Repair))];
        Receive(core, PortLane.Data, mixed, handler, packets: 8);
        Assert.Equal(4, core.Io.Count);
        Assert.Equal(4, core.Io.Dropped);
        core.DoWork(1);
        Assert.Equal([2, 2, 3, 3], handler.Packets.Select(p => p.Class));
    }

    [Fact]
    public void What_waits_for_a_handler_that_goes_is_dropped_and_the_rest_keeps_its_order()
    {
        CoreLoop core = Cores.Make();
        var goes = new RecordingHandler();
        var stays = new RecordingHandler();
        for (byte i = 0; i < 10; i++)
        {
            core.Receive((PacketClass)(i % 2 * 3), i, i % 3 == 0 ? goes : stays);
        }

        core.Forget(goes);
        Assert.Equal(6, core.Io.Count);
        core.DoWork(1);
        Assert.Empty(goes.Contents);
        Assert.Equal([2, 4, 8, 1, 5, 7], stays.Contents);
    }

    [Fact]
    public void A_handler_may_forget_itself_while_it_is_called()
    {
        CoreLoop core = Cores.Make();
        var handler = new RecordingHandler();
        handler.OnNext = () => core.Forget(handler);
        core.Receive(PacketClass.Data, 1, handler);
        core.Receive(PacketClass.Data, 2, handler);
        core.Receive(PacketClass.Control, 3, handler);
        core.DoWork(1);
        Assert.Equal([3], handler.Contents);
        Assert.Equal(0, core.Io.Count);
    }

    [Fact]
    public void Buffers_come_back_even_when_a_handler_throws()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 1, SlabsPerLane = 1, IsChecked = true });
        var handler = new RecordingHandler { OnNext = () => throw new FormatException() };
        // One buffer: a leak would leave none.
        for (int i = 0; i < 20; i++)
        {
            core.Receive(PacketClass.Data, 1, handler);
            Assert.Throws<FormatException>(() => core.DoWork(i));
        }
    }

    [Fact]
    public void Queueing_and_handling_allocate_nothing()
    {
        CoreLoop core = Cores.Make(new CoreOptions());
        var handler = new IdleHandler();
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (int i = 0; i < 5_000; i++)
            {
                core.Io.TryReserve(PortLane.Data, 2_048, out _);
                core.Io.Commit(PortLane.Data, 100, handler);
                core.DoWork(i);
            }
        }));
    }

    private static void Receive(CoreLoop core, PortLane lane, byte[] datagram, IDatagramHandler handler, int packets = 1)
    {
        Assert.True(core.Io.TryReserve(lane, datagram.Length, out Span<byte> room));
        datagram.CopyTo(room);
        Assert.Equal(packets, core.Io.Commit(lane, datagram.Length, handler));
    }

    private static byte[] Packet(int bytes, PacketClass packetClass)
    {
        byte[] packet = new byte[bytes];
        packet[0] = 0x11;
        packet[1] = (byte)packetClass;
        BitConverter.TryWriteBytes(packet.AsSpan(2), (ushort)bytes);
        return packet;
    }

    private sealed class LengthHandler : IDatagramHandler
    {
        public List<(int Bytes, int Class)> Packets { get; } = [];

        public void OnDatagram(Span<byte> datagram) => Packets.Add((datagram.Length, datagram[1]));
    }

    private sealed class IdleHandler : IDatagramHandler
    {
        public void OnDatagram(Span<byte> datagram)
        {
        }
    }
}
