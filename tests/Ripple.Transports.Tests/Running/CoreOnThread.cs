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

    public static TheoryData<WaitKind> Kinds => [WaitKind.Epoll, WaitKind.Portable];

    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(60);

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

    public void Dispose()
    {
        Runner.Dispose();
        Ports.Dispose();
        Assert.Null(_failure);
    }
}
