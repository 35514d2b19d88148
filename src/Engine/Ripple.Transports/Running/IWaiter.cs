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
