namespace Ripple.Engine.Core;

/// <summary>The outcome of passing a datagram to a port.</summary>
internal enum SendStatus
{
    /// <summary>Accepted by the kernel (or the simulated network).</summary>
    Sent,

    /// <summary>No room now. Retry the same datagram when the port calls <see cref="IDatagramPort.OnWritable"/>.</summary>
    WouldBlock,

    /// <summary>Not sent and not to be retried (unreachable, too large, port closed): counted, and repaired like any loss.</summary>
    Failed,
}
