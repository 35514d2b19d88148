namespace Ripple.Transports.Running;

/// <summary>
/// The one system call a core sleeps in. Core thread (or, before the thread starts, whoever builds), except <see cref="Wake"/>.
/// Readiness is told at least once after something arrived: a target that was told remembers it until a read finds nothing, so leaving
/// datagrams in the kernel loses nothing.
/// </summary>
internal interface IWaiter : IDisposable
{
    /// <summary>Watches a socket for reading; returns the token it is known by from then on.</summary>
    int Add(IWaitTarget target);

    /// <summary>Forgets a socket, before it is closed.</summary>
    void Remove(int token);

    /// <summary>Watches a socket for writing too, or no more.</summary>
    void WatchWritable(int token, bool isWatched);

    /// <summary>
    /// Sleeps until a socket is ready, somebody wakes, or the time is over; may return early. <see cref="long.MaxValue"/>: no limit.
    /// </summary>
    void Wait(long timeoutNs);

    /// <summary>Tells targets what is ready now, unless <see cref="Wait"/> has just done so. Never sleeps.</summary>
    void Poll();

    /// <summary>Ends the present or the next <see cref="Wait"/>. Any thread; also while or after the waiter is disposed of.</summary>
    void Wake();
}
