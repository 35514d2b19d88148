using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Transports.Running;
using Ripple.Transports.Tests.Running;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Udp;

public sealed class UdpPortTests
{
    public static TheoryData<string> Kinds => CoreOnThread.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_datagram_reaches_the_handler_of_a_sleeping_core(string kind)
    {
        using var core = new CoreOnThread(kind);
        var handler = new CountingHandler(awaited: 3);
        (UdpPort from, UdpPort to) = await OpenTwo(core, handler);
        for (int i = 1; i <= 3; i++)
        {
            byte[] bytes = new byte[i * 400];
            Assert.Equal(SendStatus.Sent, await CoreOnThread.Soon(core.Runner.RunAsync(() => from.Send(to.LocalAddress, bytes))));
        }

        await CoreOnThread.Soon(handler.Done);
        Assert.Equal([400, 800, 1_200], handler.Lengths);
        Assert.Equal((3, 2_400), (from.Counters.Sent, from.Counters.SentBytes));
        Assert.Equal((3, 2_400), (to.Counters.Received, to.Counters.ReceivedBytes));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Many_ports_of_one_core_all_get_theirs(string kind)
    {
        const int count = 100;
        using var core = new CoreOnThread(kind);
        var handler = new CountingHandler(awaited: count * 20);
        UdpPort[] ports = await CoreOnThread.Soon(
            core.Runner.RunAsync(() => Enumerable.Range(0, count).Select(_ => Open(core, handler)).ToArray()));
        for (int round = 0; round < 20; round++)
        {
            await CoreOnThread.Soon(core.Runner.RunAsync(() =>
            {
                for (int i = 0; i < count; i++)
                {
                    ports[i].Send(ports[(i + 1) % count].LocalAddress, [0x11, 3, (byte)round]);
                }
            }));
        }

        await CoreOnThread.Soon(handler.Done);
        Assert.All(ports, port => Assert.Equal(20, port.Counters.Received));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_the_kernel_drops_for_want_of_room_is_counted(string kind)
    {
        const int sent = 500;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux tells what it drops");
        using var core = new CoreOnThread(kind);
        (UdpPort from, UdpPort to) = await CoreOnThread.Soon(core.Runner.RunAsync(() =>
            (core.Ports.Open(), core.Ports.Open(new UdpPortOptions { ReceiveBufferBytes = 16_384 }))));
        // On the core thread, which therefore reads nothing meanwhile.
        long dropped = await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            byte[] datagram = new byte[1_400];
            for (int i = 0; i < sent; i++)
            {
                from.Send(to.LocalAddress, datagram);
            }

            // A busy kernel hands over what was sent a moment later.
            Assert.True(SpinWait.SpinUntil(() => to.Counters.KernelDropped >= sent / 2, CoreOnThread.Patience));
            return to.Counters.KernelDropped;
        }));
        Assert.InRange(dropped, sent / 2, sent - 1);
        Assert.Equal(0, from.Counters.KernelDropped);
        Assert.InRange(core.Ports.KernelDropped, dropped, sent - 1);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            to.Dispose();
            return true;
        }));
        // Nothing is dropped any more, and what was is kept.
        Assert.InRange(to.Counters.KernelDropped, dropped, sent - 1);
        Assert.Equal(to.Counters.KernelDropped, core.Ports.KernelDropped);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_closed_peer_a_bad_address_and_a_large_datagram_are_counted_and_end_nothing(string kind)
    {
        using var core = new CoreOnThread(kind);
        var handler = new CountingHandler(awaited: 1);
        (UdpPort from, UdpPort to) = await OpenTwo(core, handler);
        UdpPort closed = await CoreOnThread.Soon(core.Runner.RunAsync(() => Open(core, handler)));
        NodeAddress gone = closed.LocalAddress;
        var sixth = NodeAddress.From(new IPEndPoint(IPAddress.IPv6Loopback, 9));
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            closed.Dispose();
            closed.Dispose();
            Assert.Equal(SendStatus.Failed, closed.Send(to.LocalAddress, [1]));
            for (int i = 0; i < 20; i++)
            {
                Assert.NotEqual(SendStatus.WouldBlock, from.Send(gone, [0x11, 3]));
            }

            Assert.Equal(SendStatus.Failed, from.Send(to.LocalAddress, new byte[65_535]));
            Assert.Equal(SendStatus.Failed, from.Send(sixth, [1]));
            Assert.Equal(SendStatus.Failed, from.Send(default, [1]));
            Assert.Equal(SendStatus.Sent, from.Send(to.LocalAddress, [0x11, 3]));
        }));

        await CoreOnThread.Soon(handler.Done);
        Assert.Equal(1, from.Counters.FailedWith(SocketError.MessageSize));
        Assert.True(from.Counters.FailedWith(SocketError.AddressFamilyNotSupported) >= 1);
        Assert.True(from.Counters.Failed >= 3);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_fills_the_receive_buffer_is_dropped_and_counted(string kind)
    {
        using var core = new CoreOnThread(kind);
        var handler = new CountingHandler(awaited: 1);
        UdpPort from = await CoreOnThread.Soon(core.Runner.RunAsync(() => Open(core, null)));
        UdpPort to = await CoreOnThread.Soon(core.Runner.RunAsync(() => core.Ports.Open(new UdpPortOptions { Lane = PortLane.Control })));
        to.Handler = handler;
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            from.Send(to.LocalAddress, new byte[2_048]);
            from.Send(to.LocalAddress, new byte[5_000]);
            from.Send(to.LocalAddress, []);
            from.Send(to.LocalAddress, new byte[2_047]);
        }));

        await CoreOnThread.Soon(handler.Done);
        Assert.Equal([2_047], handler.Lengths);
        Assert.Equal(2, to.Counters.Truncated);
        Assert.Equal(1, to.Counters.Unhandled);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_port_without_a_handler_drops_and_counts_and_lets_the_core_sleep(string kind)
    {
        using var core = new CoreOnThread(kind);
        (UdpPort from, UdpPort to) = await OpenTwo(core, null);
        await CoreOnThread.Soon(core.Runner.RunAsync(() => from.Send(to.LocalAddress, [0x11, 3])));
        await core.UntilAsync(() => to.Counters.Unhandled == 1);

        Assert.InRange(await core.TurnsWhileAnotherWorksAsync(), 1, 10);
        Assert.Equal(1, to.Counters.Unhandled);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_full_core_leaves_datagrams_in_the_kernel_and_takes_them_later(string kind)
    {
        const int count = 400;
        using var core = new CoreOnThread(kind, new CoreOptions { IoPerClassMax = 4, IoQuantum = 2, IsChecked = true });
        var handler = new CountingHandler(awaited: count);
        (UdpPort from, UdpPort to) = await OpenTwo(core, handler);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            for (int i = 0; i < count; i++)
            {
                Assert.Equal(SendStatus.Sent, from.Send(to.LocalAddress, [0x11, 3, 0, 0]));
            }
        }));

        await CoreOnThread.Soon(handler.Done);
        Assert.Equal(count, to.Counters.Received);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_port_can_be_closed_while_its_datagrams_are_handled(string kind)
    {
        using var core = new CoreOnThread(kind);
        UdpPort? to = null;
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var handler = new ClosingHandler(core.Loop, () => to!, closed);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            to = Open(core, handler);
            using UdpPort from = Open(core, null);
            for (int i = 0; i < 50; i++)
            {
                from.Send(to.LocalAddress, [0x11, 3]);
            }
        }));

        await CoreOnThread.Soon(closed.Task);
        await CoreOnThread.Soon(core.Runner.RunAsync(() => { }));
        Assert.Equal(1, handler.Count);
    }

    [Fact]
    public async Task Sending_and_receiving_allocate_nothing()
    {
        const int count = 100_000;
        using var core = new CoreOnThread(WaitKind.Auto, new CoreOptions());
        var done = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort port = Open(core, null);
            port.Handler = new Echo(port, count, done);
            port.Send(port.LocalAddress, new byte[1_200]);
        }));

        Assert.SkipWhen(
            !OperatingSystem.IsLinux() || Environment.GetEnvironmentVariable("RIPPLE_WAIT") == "portable", "The portable wait allocates.");
        Assert.Equal(0, await CoreOnThread.Soon(done.Task));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_blocked_port_says_when_it_takes_datagrams_again(string kind)
    {
        using var core = new CoreOnThread(kind);
        var writable = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool wasBlocked = await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort from = core.Ports.Open(new UdpPortOptions { SendBufferBytes = 4_608 });
            UdpPort to = Open(core, null);
            from.OnWritable = writable.SetResult;
            for (int i = 0; i < 10_000; i++)
            {
                if (from.Send(to.LocalAddress, new byte[1_400]) == SendStatus.WouldBlock)
                {
                    return from.Counters.WouldBlock == 1;
                }
            }

            return false;
        }));

        Assert.SkipUnless(
            wasBlocked,
            "This network takes whatever is sent; shape it ('tc qdisc add dev lo root tbf rate 1mbit burst 2kb limit "
                + "10mb') to see a port blocked.");
        await CoreOnThread.Soon(writable.Task);
    }

    [Fact]
    public async Task A_port_that_listens_everywhere_needs_an_advertised_address_and_tells_it()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        await Assert.ThrowsAsync<ArgumentException>(
            () => core.Runner.RunAsync(() => core.Ports.Open(new UdpPortOptions { LocalAddress = IPAddress.Any })));
        var options = new UdpPortOptions { LocalAddress = IPAddress.Any, AdvertisedAddress = IPAddress.Parse("192.0.2.7") };
        UdpPort port = await CoreOnThread.Soon(core.Runner.RunAsync(() => core.Ports.Open(options)));
        IPEndPoint told = port.LocalAddress.ToEndPoint();
        Assert.Equal("192.0.2.7", told.Address.ToString());
        Assert.NotEqual(0, told.Port);
    }

    [Fact]
    public async Task A_port_of_both_families_sends_to_both()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "There is no IPv6 here.");
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new CountingHandler(awaited: 2);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort from = core.Ports.Open(
                new UdpPortOptions { LocalAddress = IPAddress.IPv6Any, AdvertisedAddress = IPAddress.IPv6Loopback });
            UdpPort fourth = Open(core, handler);
            UdpPort sixth = core.Ports.Open(new UdpPortOptions { LocalAddress = IPAddress.IPv6Loopback });
            sixth.Handler = handler;
            Assert.Equal(SendStatus.Sent, from.Send(fourth.LocalAddress, [0x11, 3]));
            Assert.Equal(SendStatus.Sent, from.Send(sixth.LocalAddress, [0x11, 3]));
        }));
        await CoreOnThread.Soon(handler.Done);
    }

    [Fact]
    public async Task The_cache_of_destinations_is_bounded_and_forgets_nothing_that_matters()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        var handler = new CountingHandler(awaited: 90);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort from = core.Ports.Open(new UdpPortOptions { DestinationsMax = 2 });
            UdpPort[] to = [Open(core, handler), Open(core, handler), Open(core, handler)];
            for (int i = 0; i < 90; i++)
            {
                Assert.Equal(SendStatus.Sent, from.Send(to[i % 3].LocalAddress, [0x11, 3]));
            }
        }));
        await CoreOnThread.Soon(handler.Done);
    }

    [Fact]
    public void Ports_are_opened_on_the_core()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        Assert.Throws<InvalidOperationException>(() => core.Ports.Open());
    }

    private static UdpPort Open(CoreOnThread core, IDatagramHandler? handler)
    {
        UdpPort port = core.Ports.Open();
        port.Handler = handler;
        return port;
    }

    private static Task<(UdpPort From, UdpPort To)> OpenTwo(CoreOnThread core, IDatagramHandler? handler) =>
        CoreOnThread.Soon(core.Runner.RunAsync(() => (Open(core, null), Open(core, handler))));

    private sealed class CountingHandler(int awaited) : IDatagramHandler
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public List<int> Lengths { get; } = [];

        public Task Done => _done.Task;

        public void OnDatagram(Span<byte> datagram)
        {
            Lengths.Add(datagram.Length);
            if (Lengths.Count == awaited)
            {
                _done.SetResult();
            }
        }
    }

    private sealed class ClosingHandler(CoreLoop loop, Func<UdpPort> port, TaskCompletionSource closed) : IDatagramHandler
    {
        public int Count { get; private set; }

        public void OnDatagram(Span<byte> datagram)
        {
            Count++;
            loop.Forget(this);
            port().Dispose();
            closed.TrySetResult();
        }
    }

    /// <summary>
    /// Sends each datagram to itself again, and sees what the core thread allocated in each of ten parts; the runtime itself may allocate
    /// when it compiles hot code again, so the least counts.
    /// </summary>
    private sealed class Echo(UdpPort port, int count, TaskCompletionSource<long> done) : IDatagramHandler
    {
        private readonly byte[] _bytes = new byte[1_200];
        private int _handled;
        private long _before;
        private long _least = long.MaxValue;

        public void OnDatagram(Span<byte> datagram)
        {
            if (_handled++ % (count / 10) == 0)
            {
                long now = GC.GetAllocatedBytesForCurrentThread();
                _least = _handled == 1 ? _least : Math.Min(_least, now - _before);
                _before = now;
            }

            if (_handled > count)
            {
                done.SetResult(_least);
                return;
            }

            port.Send(port.LocalAddress, _bytes);
        }
    }
}
