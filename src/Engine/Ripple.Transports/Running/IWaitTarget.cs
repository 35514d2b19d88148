using System.Net.Sockets;

namespace Ripple.Transports.Running;

/// <summary>A socket's owner, told by the waiter what its socket is ready for. Core thread.</summary>
internal interface IWaitTarget
{
    /// <summary>The socket, the same one always.</summary>
    Socket Socket { get; }

    /// <summary>The socket is (or may be) ready. Said again while it stays so.</summary>
    void OnReady(bool isReadable, bool isWritable);
}
