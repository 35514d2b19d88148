using Ripple.Engine.Matching;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Events;

/// <summary>An event, once for all subscriptions of a session whose boxes have it.</summary>
/// <param name="Application">The application.</param>
/// <param name="Sequence">The number of the delivery in the session at this host; acknowledged with all before it.</param>
/// <param name="Dropped">The events that the session's full queue has dropped before this one, since it began at this host.</param>
/// <param name="Emitter">The node that emitted it.</param>
/// <param name="Epoch">The emitter's number at its start.</param>
/// <param name="Number">The event's number there.</param>
/// <param name="Subscriptions">The subscriptions whose boxes have it.</param>
/// <param name="Values">Its values.</param>
/// <param name="Payload">What it carries.</param>
internal sealed record EventDelivery(
    string Application,
    ulong Sequence,
    ulong Dropped,
    NodeId Emitter,
    ulong Epoch,
    ulong Number,
    IReadOnlyList<uint> Subscriptions,
    IReadOnlyList<NamedValue> Values,
    ReadOnlyMemory<byte> Payload) : IMessage<EventDelivery>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.EventDelivery;

    /// <inheritdoc/>
    public static EventDelivery Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        ulong sequence = reader.ReadU64();
        ulong dropped = reader.ReadU64();
        NodeId emitter = WireParts.ReadNode(ref reader);
        ulong epoch = reader.ReadU64();
        ulong number = reader.ReadU64();
        uint[] subscriptions = new uint[reader.ReadCount16(sizeof(uint), EventLimits.SubscriptionsMax)];
        for (int i = 0; i < subscriptions.Length; i++)
        {
            subscriptions[i] = reader.ReadU32();
        }

        NamedValue[] values = EventLimits.ReadValues(ref reader);
        byte[] payload = reader.ReadBlock32(EventLimits.PayloadBytesMax).ToArray();
        return new EventDelivery(application, sequence, dropped, emitter, epoch, number, subscriptions, values, payload);
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU64(Sequence);
        writer.WriteU64(Dropped);
        WireParts.WriteNode(ref writer, Emitter);
        writer.WriteU64(Epoch);
        writer.WriteU64(Number);
        writer.WriteU16((ushort)Subscriptions.Count);
        foreach (uint subscription in Subscriptions)
        {
            writer.WriteU32(subscription);
        }

        EventLimits.WriteValues(ref writer, Values);
        writer.WriteBlock32(Payload.Span);
    }
}

/// <summary>Everything up to a delivery was taken; nothing of it is sent again.</summary>
/// <param name="Application">The application.</param>
/// <param name="Sequence">The number of the delivery.</param>
internal sealed record EventAck(string Application, ulong Sequence) : IMessage<EventAck>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.EventAck;

    /// <inheritdoc/>
    public static EventAck Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        return new EventAck(application, reader.ReadU64());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU64(Sequence);
    }
}
