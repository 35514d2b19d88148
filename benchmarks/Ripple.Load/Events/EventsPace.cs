namespace Ripple.Load.Events;

/// <summary>How fast events went through, with Ripple or with a peer.</summary>
internal sealed record EventsPace
{
    /// <summary>Events in a second, until the last was taken by all.</summary>
    public required double EventsS { get; init; }

    /// <summary>Boxes that had an event, in a second.</summary>
    public required double MatchedS { get; init; }

    /// <summary>Deliveries in a second: one a subscriber, however many of its boxes have the event.</summary>
    public required double DeliveredS { get; init; }

    /// <summary>From the call that emits to who takes the event for a box, in milliseconds.</summary>
    public required double P50Ms { get; init; }

    public required double P99Ms { get; init; }

    /// <summary>Processor time of the server's process, of an event, in milliseconds.</summary>
    public required double ServerCpuMs { get; init; }

    /// <summary>Of the subscribers' processes.</summary>
    public required double SubscribersCpuMs { get; init; }

    /// <summary>Puts it together.</summary>
    /// <param name="expected">The boxes of each event.</param>
    /// <param name="subscribers">The number of subscribers whose boxes these are, of all events together.</param>
    /// <param name="seconds">How long it took.</param>
    /// <param name="times">The words behind "shown": p50 and p99.</param>
    /// <param name="serverCpuMs">The processor time of the server.</param>
    /// <param name="subscribersCpuMs">That of the subscribers.</param>
    public static EventsPace Of(
        int[][] expected, long subscribers, double seconds, double[] times, double serverCpuMs, double subscribersCpuMs) => new()
        {
            EventsS = Round(expected.Length / seconds),
            MatchedS = Round(expected.Sum(e => (long)e.Length) / seconds),
            DeliveredS = Round(subscribers / seconds),
            P50Ms = times[0],
            P99Ms = times[1],
            ServerCpuMs = Round(serverCpuMs / expected.Length),
            SubscribersCpuMs = Round(subscribersCpuMs / expected.Length),
        };

    private static double Round(double value) => Math.Round(value, 3);
}
