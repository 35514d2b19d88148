using Ripple.Engine.Core;
using Ripple.Engine.Stack;

namespace Ripple.Engine.Tests.Stack;

/// <summary>What becomes of packets that a socket refuses: they go first when it takes some again, or are counted as dropped.</summary>
public sealed class PortSinkTests : IDisposable
{
    private readonly CoreLoop _core = new(new CoreOptions { RefusedTrainsMax = 1 }, 1);
    private readonly FullPort _port = new();
    private readonly PortSink _sink;
    private long _nowNs;

    public PortSinkTests() => _sink = new PortSink(_core, _port);

    public void Dispose() => _sink.Dispose();

    [Fact]
    public void A_packet_that_was_refused_goes_before_those_behind_it()
    {
        _port.Room = 2;
        _sink.Register(new Packets(5, 0), PacketClass.Data);
        Work();
        Assert.Equal([0, 1], _port.Sent);

        Grow(1);
        Assert.Equal([0, 1, 2], _port.Sent);

        Grow(10);
        Assert.Equal([0, 1, 2, 3, 4], _port.Sent);
        Assert.Equal(0, _sink.Dropped);
    }

    [Fact]
    public void A_train_goes_on_where_the_socket_stopped_taking_it()
    {
        _port.Room = 2;
        _sink.Register(new Packets(7, 4), PacketClass.Data);
        Work();
        Assert.Equal([0, 1], _port.Sent);

        Grow(1);
        Grow(1);
        Grow(10);
        Assert.Equal([0, 1, 2, 3, 4, 5, 6], _port.Sent);
        Assert.Equal(0, _sink.Dropped);
    }

    [Fact]
    public void What_no_buffer_can_keep_is_counted_by_packets()
    {
        var other = new FullPort();
        using var first = new PortSink(_core, other);
        first.Register(new Packets(1, 0), PacketClass.Data);
        Work();

        _port.Room = 1;
        _sink.Register(new Packets(7, 4), PacketClass.Data);
        Work();
        Assert.Equal(3, _sink.Dropped);
        Grow(10);
        Assert.Equal([0, 4, 5, 6], _port.Sent);
        Assert.Equal((3, 0), (_sink.Dropped, first.Dropped));
    }

    [Fact]
    public void A_last_packet_that_is_shorter_counts_too()
    {
        var other = new FullPort();
        using var first = new PortSink(_core, other);
        first.Register(new Packets(1, 0), PacketClass.Data);
        Work();

        _sink.Register(new ShortEnd(), PacketClass.Data);
        Work();
        Assert.Equal(3, _sink.Dropped);
    }

    [Fact]
    public void A_sink_that_ends_gives_its_buffer_back()
    {
        _sink.Register(new Packets(1, 0), PacketClass.Data);
        Work();
        _sink.Dispose();

        using var next = new PortSink(_core, _port);
        next.Register(new Packets(2, 0), PacketClass.Data);
        Work();
        Grow(10);
        Assert.Equal([0, 1], _port.Sent);
        Assert.Equal(0, next.Dropped);
    }

    private void Grow(int room)
    {
        _port.Room += room;
        _port.OnWritable!();
        Work();
    }

    private void Work()
    {
        for (int i = 0; i < 20; i++)
        {
            _core.DoWork(++_nowNs);
        }
    }

    /// <summary>Packets of four bytes with their numbers, alone or in trains.</summary>
    private sealed class Packets(int count, int trainPackets) : IDatagramFeed
    {
        private int _next;

        public bool TryPull(ref DatagramSlot slot)
        {
            int packets = Math.Min(Math.Max(1, trainPackets), count - _next);
            for (int i = 0; i < packets; i++)
            {
                BitConverter.TryWriteBytes(slot.Scratch[(4 * i)..], _next++);
            }

            slot.Bytes = slot.Scratch[..(4 * packets)];
            slot.PacketBytes = trainPackets > 0 ? 4 : 0;
            slot.To = NodeAddress.FromIPv4(1, 1);
            return packets > 0;
        }
    }

    private sealed class ShortEnd : IDatagramFeed
    {
        private bool _isPulled;

        public bool TryPull(ref DatagramSlot slot)
        {
            slot.Bytes = slot.Scratch[..21];
            slot.PacketBytes = 10;
            slot.To = NodeAddress.FromIPv4(1, 1);
            return _isPulled != (_isPulled = true);
        }
    }

    private sealed class FullPort : IDatagramPort
    {
        public int Room { get; set; }

        public List<int> Sent { get; } = [];

        public NodeAddress LocalAddress => NodeAddress.FromIPv4(1, 1);

        public IDatagramHandler? Handler { get; set; }

        public Action? OnWritable { get; set; }

        public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
        {
            if (Room == 0)
            {
                return SendStatus.WouldBlock;
            }

            Room--;
            Sent.Add(BitConverter.ToInt32(datagram));
            return SendStatus.Sent;
        }

        public void Dispose()
        {
        }
    }
}
