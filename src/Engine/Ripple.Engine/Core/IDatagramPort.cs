using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Core;

/// <summary>
/// One datagram socket, real or simulated, as the engine sees it. Non-blocking. All members are called on the core thread, where the port
/// is also created and disposed of. Received datagrams reach the handler through the core's priority queues.
/// </summary>
internal interface IDatagramPort : IDisposable
{
    /// <summary>The address at which other nodes reach this port.</summary>
    NodeAddress LocalAddress { get; }

    /// <summary>Handles received datagrams; set once, before the first turn.</summary>
    IDatagramHandler? Handler { get; set; }

    /// <summary>Called when a port that returned <see cref="SendStatus.WouldBlock"/> accepts datagrams again.</summary>
    Action? OnWritable { get; set; }

    /// <summary>Sends one datagram. The caller may reuse the bytes when this returns.</summary>
    SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>
    /// Sends a train: consecutive packets of one size, the last possibly smaller, each of which arrives as its own datagram (or all in one
    /// piece that the receiver splits). Uses one system call where supported. The caller may reuse the bytes when this returns.
    /// </summary>
    /// <param name="to">The destination of the whole train.</param>
    /// <param name="train">The packets.</param>
    /// <param name="packetBytes">The size of each packet except the last.</param>
    /// <param name="doneBytes">The bytes that were sent, or failed and must not be sent again: all, unless the status is
    /// <see cref="SendStatus.WouldBlock"/>.</param>
    SendStatus SendTrain(in NodeAddress to, ReadOnlySpan<byte> train, int packetBytes, out int doneBytes)
    {
        SendStatus status = SendStatus.Sent;
        for (doneBytes = 0; doneBytes < train.Length;)
        {
            int bytes = Math.Min(packetBytes, train.Length - doneBytes);
            SendStatus one = Send(to, train.Slice(doneBytes, bytes));
            if (one == SendStatus.WouldBlock)
            {
                return one;
            }

            status = one == SendStatus.Failed ? one : status;
            doneBytes += bytes;
        }

        return status;
    }
}

/// <summary>Handles the datagrams received by a port.</summary>
internal interface IDatagramHandler
{
    /// <summary>Called on the core thread, in priority order, once per datagram. The bytes are lent for the call only.</summary>
    void OnDatagram(Span<byte> datagram);
}

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

/// <summary>
/// Which of a node's two sockets received a datagram. The kernel's queue of a socket is first in, first out, so control has its own socket,
/// and its own room in the core's queue: a flood of data cannot delay it.
/// </summary>
internal enum PortLane : byte
{
    /// <summary>Tokens, views, beacons and requests for repair.</summary>
    Control = 0,

    /// <summary>Data and repairs.</summary>
    Data = 1,
}

/// <summary>Joins multicast groups. Core thread.</summary>
internal interface IDatagramGroups
{
    /// <summary>Opens a receive-only port for the datagrams of a group. The caller owns it.</summary>
    /// <param name="group">The group's address and port.</param>
    /// <param name="port">The port; null when the group cannot be joined.</param>
    /// <param name="reason">Why the group cannot be joined, as display text; empty when it was joined.</param>
    bool TryJoin(in NodeAddress group, [NotNullWhen(true)] out IDatagramPort? port, out string reason);
}
