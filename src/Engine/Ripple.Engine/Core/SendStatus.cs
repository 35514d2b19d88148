namespace Ripple.Engine.Core;

/// <summary>What became of a datagram handed to a port.</summary>
internal enum SendStatus
{
    /// <summary>The kernel (or the simulated network) has it.</summary>
    Sent,

    /// <summary>
    /// No room now; the port calls <see cref="IDatagramPort.OnWritable"/> when there is. Try the same datagram again then.
    /// </summary>
    WouldBlock,

    /// <summary>Not sent and not to be sent again (unreachable, too large, a closed port): counted, and repaired like any loss.</summary>
    Failed,
}
