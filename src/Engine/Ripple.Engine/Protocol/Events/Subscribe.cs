using Ripple.Engine.Matching;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Protocol.Events;

/// <summary>
/// Subscribes to the events of a space that a box has. There is no answer but <see cref="SubscriptionEnded"/>: events come, or that.
/// </summary>
/// <param name="Application">The application whose space it is.</param>
/// <param name="Epoch">The number of the session: with the node it names all of this node's subscriptions in the space, over connections.
/// </param>
/// <param name="Subscription">The number of the subscription in the session. Sent again it stays what it is.</param>
/// <param name="IsResumed">It was there on an earlier connection: a host that has forgotten it since its start gives it the events it keeps
/// for such.</param>
/// <param name="HasMore">More subscriptions of the session follow: what is kept waits for the last of them.</param>
/// <param name="Blocks">Emitters wait where the session's queue is full, instead of the session losing its oldest events.</param>
/// <param name="Ranges">The ranges of the box; a dimension that is not named is open.</param>
internal sealed record Subscribe(
    string Application, ulong Epoch, uint Subscription, bool IsResumed, bool HasMore, bool Blocks, IReadOnlyList<NamedRange> Ranges)
    : IMessage<Subscribe>
{
    // One byte for both: nodes from before version 8 wrote only whether more follow, as 0 or 1.
    private const byte HasMoreFlag = 1;
    private const byte BlocksFlag = 2;

    /// <inheritdoc/>
    public static MessageType Type => MessageType.Subscribe;

    /// <inheritdoc/>
    public static Subscribe Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        ulong epoch = reader.ReadU64();
        uint subscription = reader.ReadU32();
        bool isResumed = reader.ReadBool();
        byte flags = reader.ReadU8();
        if (flags > (HasMoreFlag | BlocksFlag))
        {
            reader.Fail();
        }

        return new Subscribe(
            application,
            epoch,
            subscription,
            isResumed,
            (flags & HasMoreFlag) != 0,
            (flags & BlocksFlag) != 0,
            EventLimits.ReadRanges(ref reader));
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU64(Epoch);
        writer.WriteU32(Subscription);
        writer.WriteBool(IsResumed);
        writer.WriteU8((byte)((HasMore ? HasMoreFlag : 0) | (Blocks ? BlocksFlag : 0)));
        EventLimits.WriteRanges(ref writer, Ranges);
    }
}

/// <summary>Ends a subscription; nothing is answered.</summary>
/// <param name="Application">The application.</param>
/// <param name="Subscription">The number of the subscription.</param>
internal sealed record Unsubscribe(string Application, uint Subscription) : IMessage<Unsubscribe>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.Unsubscribe;

    /// <inheritdoc/>
    public static Unsubscribe Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        return new Unsubscribe(application, reader.ReadU32());
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU32(Subscription);
    }
}

/// <summary>A subscription could not begin, or was ended by the host.</summary>
/// <param name="Application">The application.</param>
/// <param name="Subscription">The number of the subscription.</param>
/// <param name="Code">Why. Busy: ask again later.</param>
/// <param name="Text">Why, and what to do.</param>
internal sealed record SubscriptionEnded(string Application, uint Subscription, ErrorCode Code, string Text)
    : IMessage<SubscriptionEnded>
{
    /// <inheritdoc/>
    public static MessageType Type => MessageType.SubscriptionEnded;

    /// <inheritdoc/>
    public static SubscriptionEnded Read(ref WireReader reader)
    {
        string application = reader.ReadText8();
        uint subscription = reader.ReadU32();
        ErrorCode code = (ErrorCode)reader.ReadU16();
        return new SubscriptionEnded(application, subscription, code, reader.ReadText16(4_096));
    }

    /// <inheritdoc/>
    public void Write(ref WireWriter writer)
    {
        writer.WriteText8(Application);
        writer.WriteU32(Subscription);
        writer.WriteU16((ushort)Code);
        writer.WriteText16(Text);
    }
}
