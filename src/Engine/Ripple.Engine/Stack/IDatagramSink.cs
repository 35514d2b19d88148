using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>A sender of datagrams: a socket's root sink, or a layer above one (faults, a rate limit).</summary>
internal interface IDatagramSink
{
    /// <summary>
    /// Registers the intent to send in a class; does nothing when the feed is already registered. The sink pulls later in this turn or in
    /// another, lower classes first, feeds of one class in turn.
    /// </summary>
    void Register(IDatagramFeed feed, PacketClass packetClass);

    /// <summary>Removes a feed that is being disposed of.</summary>
    void Unregister(IDatagramFeed feed);
}
