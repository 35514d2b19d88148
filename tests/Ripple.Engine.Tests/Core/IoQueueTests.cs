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
    public void A_datagram_without_a_class_is_data()
    {
        CoreLoop core = Cores.Make();
        Assert.True(core.Io.TryRent(out BufferLease lease));
        core.Io.Enqueue(lease, 1, new RecordingHandler());
        Assert.Equal(1, core.Io.CountOf(PacketClass.Data));
    }

    [Fact]
    public void The_queue_is_bounded_and_says_when_it_has_room()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 2, IsChecked = true });
        var handler = new RecordingHandler();
        core.Receive(PacketClass.Data, 1, handler);
        Assert.True(core.Io.HasRoom);
        core.Receive(PacketClass.Data, 2, handler);
        Assert.False(core.Io.HasRoom);
        Assert.Throws<InvalidOperationException>(() => core.Receive(PacketClass.Data, 3, handler));
        Assert.Equal(2, core.Io.Count);
        core.DoWork(1);
        Assert.True(core.Io.HasRoom);
        Assert.Equal([1, 2], handler.Contents);
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
        CoreLoop core = Cores.Make(new CoreOptions { IoPerClassMax = 1, IsChecked = true });
        var handler = new RecordingHandler { OnNext = () => throw new FormatException() };
        // One buffer a class and one more: a leak would empty the pool.
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
                core.Io.TryRent(out BufferLease lease);
                core.Io.Enqueue(lease, 100, handler);
                core.DoWork(i);
            }
        }));
    }

    private sealed class IdleHandler : IDatagramHandler
    {
        public void OnDatagram(Span<byte> datagram)
        {
        }
    }
}
