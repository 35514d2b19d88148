namespace Ripple.Client;

/// <summary>How a subscription to events is served. Immutable.</summary>
public sealed record RippleSubscribeOptions
{
    /// <summary>
    /// What happens to events for which this client's queue at the host has no room. The queue is one for all of a client's subscriptions
    /// in a space: while one of them blocks, it drops nothing of the others either. Default <see cref="FullQueue.DropOldest"/>.
    /// </summary>
    public FullQueue WhenFull { get; init; }
}
