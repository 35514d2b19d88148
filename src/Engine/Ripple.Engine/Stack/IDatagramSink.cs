using Ripple.Engine.Core;

namespace Ripple.Engine.Stack;

/// <summary>Something that can send datagrams: a socket's root sink, or a layer above one (a fault, a rate).</summary>
internal interface IDatagramSink
{
    /// <summary>
    /// Registers the intent to send in a class. Nothing happens when the feed is registered already. The sink pulls later in this turn or
    /// in another, feeds of a lower class first, those of one class in turn.
    /// </summary>
    void Register(IDatagramFeed feed, PacketClass packetClass);

    /// <summary>Forgets a feed that is being disposed of.</summary>
    void Unregister(IDatagramFeed feed);
}
