namespace Ripple.Client;

/// <summary>An event that a subscription's box has.</summary>
public sealed class RippleEvent
{
    internal RippleEvent(RippleEventId id, RipplePoint point, ReadOnlyMemory<byte> payload, long dropped)
    {
        Id = id;
        Point = point;
        Payload = payload;
        Dropped = dropped;
    }

    /// <summary>Its name, the same wherever and however often it comes.</summary>
    public RippleEventId Id { get; }

    /// <summary>Its attributes.</summary>
    public RipplePoint Point { get; }

    /// <summary>What it carries. Of this event alone.</summary>
    public ReadOnlyMemory<byte> Payload { get; }

    /// <summary>
    /// The events that were lost to this client right before this one, of any of its subscriptions in the space, because it took them more
    /// slowly than they came. 0 as a rule.
    /// </summary>
    public long Dropped { get; }
}
