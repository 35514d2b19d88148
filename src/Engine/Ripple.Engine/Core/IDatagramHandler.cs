namespace Ripple.Engine.Core;

/// <summary>Takes the datagrams that reached a port.</summary>
internal interface IDatagramHandler
{
    /// <summary>Called on the core thread, in priority order, once for each datagram. The bytes are lent for the call only.</summary>
    void OnDatagram(Span<byte> datagram);
}
