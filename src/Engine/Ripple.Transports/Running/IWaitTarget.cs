using System.Net.Sockets;

namespace Ripple.Transports.Running;

/// <summary>The owner of a socket, notified by the waiter when the socket is ready. Core thread.</summary>
internal interface IWaitTarget
{
    /// <summary>The socket; always the same one.</summary>
    Socket Socket { get; }

    /// <summary>The socket is (or may be) ready. May be called again while it stays ready.</summary>
    void OnReady(bool isReadable, bool isWritable);
}
