namespace Ripple.Load.Events;

/// <summary>What was measured.</summary>
internal sealed record EventsResult
{
    public string Scenario { get; } = "events";

    public required int Subscribers { get; init; }

    public required int Boxes { get; init; }

    public required int Dimensions { get; init; }

    public required int Events { get; init; }

    /// <summary>The host was killed under way.</summary>
    public required bool IsKilled { get; init; }

    /// <summary>Events in a second, until the last was delivered to all.</summary>
    public required double EventsS { get; init; }

    /// <summary>Boxes that had an event, in a second.</summary>
    public required double MatchedS { get; init; }

    /// <summary>Deliveries in a second: one a subscriber, however many of its boxes have the event.</summary>
    public required double DeliveredS { get; init; }

    /// <summary>From the call that emits to the loop of the subscription, in milliseconds.</summary>
    public required double P50Ms { get; init; }

    public required double P99Ms { get; init; }

    /// <summary>Boxes that have an event, as compared number by number, and were not shown it.</summary>
    public required long Lost { get; init; }

    /// <summary>Events that a subscription was shown again.</summary>
    public required long Twice { get; init; }

    /// <summary>Events that full queues dropped and told.</summary>
    public required long Dropped { get; init; }
}
