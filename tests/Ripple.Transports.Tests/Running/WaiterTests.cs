using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Ripple.Transports.Running;

namespace Ripple.Transports.Tests.Running;

public sealed class WaiterTests
{
    public enum Kind
    {
        Precise,
        Millisecond,
        Portable,
    }

    public static TheoryData<Kind> Kinds => [Kind.Precise, Kind.Millisecond, Kind.Portable];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_wait_takes_its_time_however_short(Kind kind)
    {
        using IWaiter waiter = Make(kind);
        foreach (long timeoutNs in (long[])[1, 200_000, 999_999, 1_000_001, 5_500_000])
        {
            long start = Stopwatch.GetTimestamp();
            waiter.Wait(timeoutNs);
            // The kernel's timers may be a few microseconds early against this clock.
            Assert.True(Stopwatch.GetElapsedTime(start).TotalNanoseconds > timeoutNs - 50_000, $"{timeoutNs} ns: woke early.");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_wake_before_the_wait_ends_it(Kind kind)
    {
        using IWaiter waiter = Make(kind);
        for (int i = 0; i < 100; i++)
        {
            waiter.Wake();
            waiter.Wake();
            // Not without limit: a wake that was lost fails the test and does not hang it.
            long start = Stopwatch.GetTimestamp();
            waiter.Wait((long)CoreOnThread.Patience.TotalNanoseconds);
            Assert.True(Stopwatch.GetElapsedTime(start) < CoreOnThread.Patience - TimeSpan.FromSeconds(1), "Nobody was woken.");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_wake_from_another_thread_ends_a_wait_without_limit(Kind kind)
    {
        const int wakes = 2_000;
        using IWaiter waiter = Make(kind);
        using var ended = new SemaphoreSlim(0);
        int waits = 0;
        Task waiting = Task.Factory.StartNew(
            () =>
            {
                while (waits < wakes)
                {
                    waiter.Wait(long.MaxValue);
                    waits++;
                    ended.Release();
                }
            },
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

        // Each wake follows the end of the wait before: some come before the next wait begins, most while it lasts.
        for (int i = 0; i < wakes; i++)
        {
            // A signal of the system may end a wait now and then; a wait that does not wait ends all the time.
            Assert.InRange(Volatile.Read(ref waits), i, i + 5);
            waiter.Wake();
            Assert.True(await ended.WaitAsync(CoreOnThread.Patience, TestContext.Current.CancellationToken), $"Wake {i} was lost.");
        }

        await CoreOnThread.Soon(waiting);
        Assert.Equal(0, ended.CurrentCount);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_spent_wake_ends_no_second_wait(Kind kind)
    {
        using IWaiter waiter = Make(kind);
        waiter.Wake();
        waiter.Wait(long.MaxValue);
        long start = Stopwatch.GetTimestamp();
        waiter.Wait(20_000_000);
        Assert.True(Stopwatch.GetElapsedTime(start).TotalMilliseconds > 19);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_socket_that_was_full_is_reported_writable_once_it_is_read_and_only_while_watched(Kind kind)
    {
        using IWaiter waiter = Make(kind);
        (Socket left, Socket right) = Pair();
        using (left)
        using (right)
        {
            var target = new Target(left);
            int token = waiter.Add(target);
            Fill(left);
            waiter.WatchWritable(token, true);
            // A busy kernel takes some more a moment after it refused; filled again and again, the socket is full in the end.
            int reported;
            int rounds = 0;
            do
            {
                Assert.InRange(rounds++, 0, 1_000);
                Fill(left);
                reported = target.Writable;
                waiter.Wait(5_000_000);
            }
            while (target.Writable != reported);

            byte[] taken = new byte[1 << 20];
            int idle = 0;
            while (target.Writable == reported && idle < 60_000)
            {
                right.Receive(taken, SocketFlags.None, out SocketError error);
                idle += error == SocketError.WouldBlock ? 1 : 0;
                waiter.Wait(1_000_000);
            }

            Assert.True(target.Writable > reported);
            waiter.WatchWritable(token, false);
            int before = target.Writable;
            waiter.Wait(2_000_000);
            Assert.Equal(before, target.Writable);
            waiter.Remove(token);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void What_arrives_is_reported_and_a_removed_socket_never(Kind kind)
    {
        using IWaiter waiter = Make(kind);
        (Socket left, Socket right) = Pair();
        using (left)
        using (right)
        {
            var target = new Target(left);
            int token = waiter.Add(target);
            right.Send([1]);
            waiter.Wait(long.MaxValue);
            int reported = target.Readable;
            Assert.True(reported > 0);
            Assert.Equal(1, left.Receive(new byte[8]));
            right.Send([2]);
            waiter.Wait(long.MaxValue);
            Assert.True(target.Readable > reported);
            waiter.Poll();
            reported = target.Readable;
            right.Send([3]);
            // Beside the one that was not received yet.
            Assert.True(SpinWait.SpinUntil(() => left.Available == 2, CoreOnThread.Patience));
            waiter.Poll();
            Assert.True(target.Readable > reported, "A poll that does not follow a wait looks again.");

            waiter.Remove(token);
            int before = target.Readable;
            waiter.Wait(2_000_000);
            waiter.Poll();
            waiter.Poll();
            Assert.Equal(before, target.Readable);
            Assert.Equal(token, waiter.Add(target));
            waiter.Wait(long.MaxValue);
            Assert.True(target.Readable > before);
        }
    }

    [Fact]
    public void The_environment_names_the_way_to_wait_and_nonsense_is_refused()
    {
        Assert.Equal(WaitKind.Portable, WaiterChoice.FromText("portable"));
        Assert.Equal(WaitKind.Epoll, WaiterChoice.FromText("epoll"));
        Assert.Equal(OperatingSystem.IsLinux() ? WaitKind.Epoll : WaitKind.Portable, WaiterChoice.FromText(null));
        Exception refused = Assert.Throws<InvalidOperationException>(() => WaiterChoice.FromText("sometimes"));
        Assert.Contains("'portable'", refused.Message, StringComparison.Ordinal);
    }

    private static IWaiter Make(Kind kind)
    {
        Assert.SkipWhen(kind != Kind.Portable && !OperatingSystem.IsLinux(), "There is no epoll here.");
        return kind == Kind.Portable ? new PortableWaiter() : new EpollWaiter(isPrecise: kind == Kind.Precise);
    }

    private static (Socket Left, Socket Right) Pair()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        var left = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        left.Connect(listener.LocalEndPoint!);
        Socket right = listener.Accept();
        left.Blocking = false;
        right.Blocking = false;
        return (left, right);
    }

    private static void Fill(Socket socket)
    {
        byte[] bytes = new byte[1 << 16];
        for (int refused = 0; refused < 100;)
        {
            socket.Send(bytes, SocketFlags.None, out SocketError error);
            refused += error == SocketError.WouldBlock ? 1 : 0;
        }
    }

    private sealed class Target(Socket socket) : IWaitTarget
    {
        public Socket Socket { get; } = socket;

        public int Readable { get; private set; }

        public int Writable { get; private set; }

        public void OnReady(bool isReadable, bool isWritable)
        {
            Readable += isReadable ? 1 : 0;
            Writable += isWritable ? 1 : 0;
        }
    }
}
