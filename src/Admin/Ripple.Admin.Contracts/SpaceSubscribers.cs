namespace Ripple.Admin.Contracts;

/// <summary>Who would get an event.</summary>
public sealed record SpaceSubscribers
{
    /// <summary>The subscriptions that would get it, of all subscribers; those listed and those that are not.</summary>
    public required int Count { get; init; }

    /// <summary>The first of them, by subscriber and number: at most 1,000.</summary>
    public required IReadOnlyList<SpaceSubscription> Subscriptions { get; init; }
}
