namespace Ripple.Admin.Contracts;

/// <summary>A subscription to events.</summary>
public sealed record SpaceSubscription
{
    /// <summary>The subscriber: the id of a node, or the token of who subscribes over HTTP.</summary>
    public required string Subscriber { get; init; }

    /// <summary>The number of the subscription there.</summary>
    public required uint Subscription { get; init; }

    /// <summary>Its ranges, half-open, as <c>price=10..20</c>; a dimension that is not there is open.</summary>
    public required IReadOnlyList<string> Where { get; init; }

    /// <summary>Whether the subscriber has a connection now.</summary>
    public required bool IsConnected { get; init; }

    /// <summary>The events that wait for the subscriber.</summary>
    public required int WaitingCount { get; init; }

    /// <summary>Whether emitters wait for it where its queue is full.</summary>
    public bool Blocks { get; init; }
}
