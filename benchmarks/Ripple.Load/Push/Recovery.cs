using System.Diagnostics;

namespace Ripple.Load.Push;

/// <summary>How publishes came through a while in which every core was busy with something else.</summary>
internal sealed record Recovery
{
    /// <summary>A publish is as before when it takes so many times the median before, or no more than nearly all did before.</summary>
    private const double AsBefore = 1.2;

    /// <summary>What nearly all took before: some take longer than 1.2 times the median without any disturbance, too.</summary>
    private const int NearlyAllPercent = 95;

    /// <summary>The median of publish-to-last-node of those that were with all nodes when the disturbance began.</summary>
    public required double P50MsBefore { get; init; }

    /// <summary>The same of those that were begun once it was recovered from; not a number when it was not.</summary>
    public required double P50MsAfter { get; init; }

    /// <summary>
    /// From the end of the disturbance until the first publish of a second whose median is at most 1.2 times the one before, and of which
    /// none took longer than that, or than the 95th percentile before where that is more; null when there is none.
    /// </summary>
    public required double? Seconds { get; init; }

    /// <summary>The same by medians: until the first publish from which on the median of a second is as before.</summary>
    public required double? MedianSeconds { get; init; }

    /// <summary>Publishes in the order in which they were begun, and when the disturbance began and ended.</summary>
    public static Recovery Of(PublishTimes[] times, long begin, long end)
    {
        PublishTimes[] arrived = [.. times.Where(t => t.Nodes > 0)];
        PublishTimes[] undisturbed = [.. arrived.Where(t => t.LastApplied < begin)];
        double beforeMs = MedianMs(undisturbed);
        double limitMs = Math.Max(beforeMs * AsBefore, Percentile.OfMs(undisturbed.Select(Span), NearlyAllPercent));
        long limit = (long)(limitMs * Stopwatch.Frequency / 1e3);
        bool IsMedianAsBefore(PublishTimes[] second) => MedianMs(second) <= beforeMs * AsBefore;
        PublishTimes? all = First(arrived, end, second => IsMedianAsBefore(second) && Array.TrueForAll(second, t => Span(t) <= limit));
        PublishTimes? median = First(arrived, end, IsMedianAsBefore);
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
