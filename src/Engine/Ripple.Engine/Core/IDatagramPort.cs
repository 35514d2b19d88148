namespace Ripple.Engine.Core;

/// <summary>
/// One datagram socket, real or simulated, as the engine sees it. Non-blocking. Everything is called on the core thread, where the port is
/// made and disposed too. Received datagrams reach the handler through the core's priority queues.
/// </summary>
internal interface IDatagramPort : IDisposable
{
    /// <summary>Where others reach this port.</summary>
    NodeAddress LocalAddress { get; }

    /// <summary>Who takes what arrives; set once, before the first turn.</summary>
    IDatagramHandler? Handler { get; set; }

    /// <summary>Called when a port that said <see cref="SendStatus.WouldBlock"/> takes datagrams again.</summary>
    Action? OnWritable { get; set; }

    /// <summary>Sends one datagram. The bytes are the caller's again when this returns.</summary>
    SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>
    /// Sends a train: packets of one size behind each other, the last at most that size, each to arrive as a datagram of its own (or in one
    /// piece, split by the receiver). In one call where the system can. The bytes are the caller's again when this returns.
    /// </summary>
    /// <param name="to">Where all of it goes.</param>
    /// <param name="train">The packets.</param>
    /// <param name="packetBytes">The size of each but the last.</param>
    /// <param name="doneBytes">How much of it is sent, or failed and is not to be sent again: all, unless the status is
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
