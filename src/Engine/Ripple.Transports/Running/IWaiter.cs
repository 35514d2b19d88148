using System.Net.Sockets;

namespace Ripple.Transports.Running;

/// <summary>
/// The one system call in which a core sleeps. Core thread (or, before it starts, the thread that builds the core), except
/// <see cref="Wake"/>. Readiness is reported at least once after data arrived: a notified target remembers it until a read finds nothing,
/// so leaving datagrams in the kernel loses nothing.
/// </summary>
internal interface IWaiter : IDisposable
{
    /// <summary>Watches a socket for reading; returns the token that identifies it from then on.</summary>
    int Add(IWaitTarget target);

    /// <summary>Stops watching a socket. Call before the socket is closed.</summary>
    void Remove(int token);

    /// <summary>Starts or stops watching a socket for writing as well.</summary>
    void WatchWritable(int token, bool isWatched);

    /// <summary>
    /// Sleeps until a socket is ready, <see cref="Wake"/> is called, or the time is over; may return early. <see cref="long.MaxValue"/>: no
    /// limit.
    /// </summary>
    void Wait(long timeoutNs);

    /// <summary>Notifies targets that are (or may be) ready now, unless <see cref="Wait"/> has just done so. Never sleeps.</summary>
    void Poll();

    /// <summary>Ends the current or the next <see cref="Wait"/>. Any thread; also while or after the waiter is disposed of.</summary>
    void Wake();
}

/// <summary>The owner of a socket, notified by the waiter when the socket is ready. Core thread.</summary>
internal interface IWaitTarget
{
    /// <summary>The socket; always the same one.</summary>
    Socket Socket { get; }

    /// <summary>The socket is (or may be) ready. May be called again while it stays ready.</summary>
    void OnReady(bool isReadable, bool isWritable);
}

/// <summary>How a core thread waits for sockets, wake-ups and time in one system call.</summary>
internal enum WaitKind
{
    /// <summary>
    /// The kind that the environment variable <c>RIPPLE_WAIT</c> names (<c>epoll</c> or <c>portable</c>), otherwise epoll on Linux and
    /// portable elsewhere.
    /// </summary>
    Auto,

    /// <summary>epoll and eventfd; Linux only. Its cost does not grow with the number of sockets.</summary>
    Epoll,

    /// <summary>
    /// Select over all sockets; available everywhere. For development: its cost grows with the number of sockets, and it allocates.
    /// </summary>
    Portable,
}

/// <summary>Makes the waiter of the requested kind.</summary>
internal static class WaiterChoice
{
    private const string Variable = "RIPPLE_WAIT";

    public static IWaiter Make(WaitKind kind)
    {
        if (kind == WaitKind.Auto)
        {
            kind = FromText(Environment.GetEnvironmentVariable(Variable));
        }

        if (kind == WaitKind.Portable)
        {
            return new PortableWaiter();
        }

        return OperatingSystem.IsLinux()
            ? new EpollWaiter()
            : throw new PlatformNotSupportedException("WaitKind.Epoll is for Linux; use WaitKind.Auto.");
    }

    /// <summary>The kind that the value of the environment variable selects.</summary>
    public static WaitKind FromText(string? text) => text switch
    {
        null or "" => OperatingSystem.IsLinux() ? WaitKind.Epoll : WaitKind.Portable,
        "epoll" => WaitKind.Epoll,
        "portable" => WaitKind.Portable,
        string other => throw new InvalidOperationException($"{Variable} is '{other}'; it may be 'epoll' or 'portable'."),
    };
}

/// <summary>The targets of a waiter by token; tokens of removed targets are reused.</summary>
internal sealed class WaitTargets
{
    private readonly List<IWaitTarget?> _targets = [];
    private readonly Stack<int> _free = [];

    /// <summary>How many there are.</summary>
    public int Count => _targets.Count - _free.Count;

    /// <summary>One above the highest token.</summary>
    public int End => _targets.Count;

    /// <summary>The target of a token; null when it is gone.</summary>
    public IWaitTarget? this[int token] => token < _targets.Count ? _targets[token] : null;

    public int Add(IWaitTarget target)
    {
        if (_free.TryPop(out int token))
        {
            _targets[token] = target;
            return token;
        }

        _targets.Add(target);
        return _targets.Count - 1;
    }

    public void Remove(int token)
    {
        _targets[token] = null;
        _free.Push(token);
    }
}
