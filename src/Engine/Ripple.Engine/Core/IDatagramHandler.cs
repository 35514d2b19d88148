namespace Ripple.Engine.Core;

/// <summary>Handles the datagrams received by a port.</summary>
internal interface IDatagramHandler
{
    /// <summary>Called on the core thread, in priority order, once per datagram. The bytes are lent for the call only.</summary>
    void OnDatagram(Span<byte> datagram);
}
