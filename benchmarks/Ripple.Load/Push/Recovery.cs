using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>How publishes came through a while in which every core was busy with something else.</summary>
internal sealed record Recovery
{
    /// <summary>A publish is as before when it takes at most so many times the median before.</summary>
    private const double AsBefore = 1.2;

    /// <summary>The median of publish-to-last-node of those that were with all nodes when the disturbance began.</summary>
    public required double P50MsBefore { get; init; }

    /// <summary>The same of those that were begun once it was recovered from; not a number when it was not.</summary>
    public required double P50MsAfter { get; init; }

    /// <summary>
    /// From the end of the disturbance until the first publish that took at most 1.2 times the median before, as all of the second behind
    /// it did; null when there is none.
    /// </summary>
    public required double? Seconds { get; init; }

    /// <summary>The same by medians: until the first publish from which on the median of a second is as before.</summary>
    public required double? MedianSeconds { get; init; }

    /// <summary>Publishes in the order in which they were begun, and when the disturbance began and ended.</summary>
    public static Recovery Of(PublishTimes[] times, long begin, long end)
    {
        PublishTimes[] arrived = [.. times.Where(t => t.Nodes > 0)];
        double beforeMs = MedianMs(arrived.Where(t => t.LastApplied < begin));
        long limit = (long)(beforeMs * AsBefore * Stopwatch.Frequency / 1e3);
        PublishTimes? all = First(arrived, end, second => Array.TrueForAll(second, t => Span(t) <= limit));
        PublishTimes? median = First(arrived, end, second => MedianMs(second) <= beforeMs * AsBefore);
        return new()
        {
            P50MsBefore = beforeMs,
            P50MsAfter = MedianMs((all ?? median) is { } first ? arrived.Where(t => t.Called >= first.Called) : []),
            Seconds = SecondsOf(all, end),
            MedianSeconds = SecondsOf(median, end),
        };
    }

    /// <summary>The first one behind the end with a whole second of publishes that is as it should be, itself included.</summary>
    private static PublishTimes? First(PublishTimes[] times, long end, Func<PublishTimes[], bool> isAsBefore)
    {
        for (int i = 0; i < times.Length && times[i].Called + Stopwatch.Frequency <= times[^1].Called; i++)
        {
            long until = times[i].Called + Stopwatch.Frequency;
            if (times[i].Called >= end && isAsBefore([.. times.Skip(i).TakeWhile(t => t.Called <= until)]))
            {
                return times[i];
            }
        }

        return null;
    }

    private static double? SecondsOf(PublishTimes? first, long end) =>
        first is null ? null : Stopwatch.GetElapsedTime(end, first.Called).TotalSeconds;

    private static double MedianMs(IEnumerable<PublishTimes> times) => Percentile.OfMs(times.Select(Span), 50);

    private static long Span(PublishTimes times) => times.LastApplied - times.Called;
}
