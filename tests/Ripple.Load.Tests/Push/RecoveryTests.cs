using System.Diagnostics;
using Ripple.Load.Push;

namespace Ripple.Load.Tests.Push;

/// <summary>When a fleet is as it was before a disturbance: four publishes a second, of which one in ten takes longer, as ever.</summary>
public sealed class RecoveryTests
{
    private const int UsualMs = 80;
    private const int LongerMs = 130;
    private const int Begin = 40;
    private const int End = 60;

    [Fact]
    public void A_spread_that_was_there_before_is_no_disturbance()
    {
        Recovery recovery = Of(_ => null);
        Assert.Equal(UsualMs, recovery.P50MsBefore, 1.0);
        Assert.Equal(0, recovery.Seconds);
        Assert.Equal(0, recovery.MedianSeconds);
    }

    [Fact]
    public void A_publish_that_took_longer_than_nearly_all_before_puts_it_off()
    {
        Recovery recovery = Of(i => i == End + 2 ? LongerMs + 1 : null);
        Assert.Equal(0.75, recovery.Seconds);
        Assert.Equal(0, recovery.MedianSeconds);
    }

    [Fact]
    public void It_is_not_recovered_from_while_the_median_stays_higher()
    {
        Recovery recovery = Of(i => i >= End ? LongerMs : null);
        Assert.Null(recovery.MedianSeconds);
        Assert.Null(recovery.Seconds);
    }

    /// <summary>A hundred publishes, the disturbance from the 40th to the 60th.</summary>
    private static Recovery Of(Func<int, int?> tookMs)
    {
        PublishTimes[] times = [.. Enumerable.Range(0, 100).Select(i =>
        {
            int ms = tookMs(i) ?? (i is >= Begin and < End ? 4_000 : i % 10 == 0 ? LongerMs : UsualMs);
            long called = At(i);
            return new PublishTimes { Called = called, LastApplied = called + (ms * Stopwatch.Frequency / 1_000), Nodes = 1 };
        })];
        return Recovery.Of(times, At(Begin), At(End));
    }

    private static long At(int publish) => (publish + 4) * Stopwatch.Frequency / 4;
}
