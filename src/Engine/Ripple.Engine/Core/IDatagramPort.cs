namespace Ripple.Engine.Core;

/// <summary>
/// One datagram socket, real or simulated, as the engine sees it. Non-blocking. Everything is called on the core thread, where the port is
/// made and disposed too. Received datagrams reach the handler through the core's priority queues.
/// </summary>
public interface IDatagramPort : IDisposable
{
    /// <summary>Where others reach this port.</summary>
    NodeAddress LocalAddress { get; }

    /// <summary>Who takes what arrives; set once, before the first turn.</summary>
    IDatagramHandler? Handler { get; set; }

    /// <summary>Called when a port that said <see cref="SendStatus.WouldBlock"/> takes datagrams again.</summary>
    Action? OnWritable { get; set; }

    /// <summary>Sends one datagram. The bytes are the caller's again when this returns.</summary>
    SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram);
}
