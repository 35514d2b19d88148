namespace Ripple.Client;

/// <summary>An event that a subscription's box has, with its attributes as a record.</summary>
/// <typeparam name="T">The record.</typeparam>
public sealed class RippleTypedEvent<T>
    where T : notnull
{
    private readonly RippleEvent _event;

    internal RippleTypedEvent(RippleEvent shown, T point)
    {
        _event = shown;
        Point = point;
    }

    /// <inheritdoc cref="RippleEvent.Id"/>
    public RippleEventId Id => _event.Id;

    /// <summary>Its attributes.</summary>
    public T Point { get; }

    /// <inheritdoc cref="RippleEvent.Payload"/>
    public ReadOnlyMemory<byte> Payload => _event.Payload;

    /// <inheritdoc cref="RippleEvent.Dropped"/>
    public long Dropped => _event.Dropped;
}
