using Ripple.Engine.Core;
using Ripple.Transports.Running;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Running;

/// <summary>A core with its runner and ports, for one test.</summary>
internal sealed class CoreOnThread : IDisposable
{
    private Exception? _failure;

    public CoreOnThread(WaitKind kind, CoreOptions? options = null, Action<CoreOnThread>? build = null)
    {
        Loop = new CoreLoop(options ?? new CoreOptions { IsChecked = true }, seed: 1);
        Runner = new CoreRunner(Loop, new CoreRunnerOptions { Wait = SkipUnlessHere(kind), OnFailed = e => _failure = e });
        Ports = new UdpPorts(Runner);
        build?.Invoke(this);
        Runner.Start();
    }

    /// <summary>With one of <see cref="Kinds"/>.</summary>
    public CoreOnThread(string kind, CoreOptions? options = null, Action<CoreOnThread>? build = null)
        : this(Enum.Parse<WaitKind>(kind), options, build)
    {
    }

    /// <summary>By name: what a test takes is public, and the kinds are not.</summary>
    public static TheoryData<string> Kinds => [nameof(WaitKind.Epoll), nameof(WaitKind.Portable)];

    public static TimeSpan Patience { get; } = TimeSpan.FromMinutes(2);

    public CoreLoop Loop { get; }

    public CoreRunner Runner { get; }

    public UdpPorts Ports { get; }

    public static WaitKind SkipUnlessHere(WaitKind kind)
    {
        Assert.SkipWhen(kind == WaitKind.Epoll && !OperatingSystem.IsLinux(), "There is no epoll here.");
        return kind;
    }

    /// <summary>Waits for what must come, and fails when it does not: a lost wake-up sleeps for ever.</summary>
    public static Task<T> Soon<T>(Task<T> task) => task.WaitAsync(Patience, TestContext.Current.CancellationToken);

    public static Task Soon(Task task) => task.WaitAsync(Patience, TestContext.Current.CancellationToken);

    /// <summary>Looks, on the core thread, until something holds; fails when it never does.</summary>
    public async Task UntilAsync(Func<bool> condition)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (!await Soon(Runner.RunAsync(condition)))
        {
            Assert.False(patience.IsCancellationRequested, "Waited in vain.");
        }
    }

    /// <summary>How many turns this core takes while another is made to take a thousand, one after the other: a core that sleeps takes
    /// next to none in that time, however fast or slow the machine is, and one that spins takes as many or more.</summary>
    public async Task<long> TurnsWhileAnotherWorksAsync()
    {
        const int turns = 1_000;
        using var other = new CoreOnThread(WaitKind.Auto);
        // What is left of the turns before is over when a request was answered.
        long before = await Soon(Runner.RunAsync(() => Loop.Counters.Turns));
        for (int i = 0; i < turns; i++)
        {
            await Soon(other.Runner.RunAsync(() => { }));
        }

        Assert.True(await Soon(other.Runner.RunAsync(() => other.Loop.Counters.Turns)) >= turns);
        return await Soon(Runner.RunAsync(() => Loop.Counters.Turns)) - before;
    }

    public void Dispose()
    {
        Runner.Dispose();
        Ports.Dispose();
        Assert.Null(_failure);
    }
}
