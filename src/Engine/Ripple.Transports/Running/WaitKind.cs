namespace Ripple.Transports.Running;

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
