using Ripple.Engine.Rings;

namespace Ripple.Engine.Tests.Rings;

public sealed class RoundSchedulerTests
{
    private readonly RoundScheduler _scheduler = new(RingOptions.Default);

    [Fact]
    public void Aggregates_of_others_are_waited_for_for_a_quarter_of_a_round_and_no_longer_than_a_repeat_takes_at_least()
    {
        Assert.Equal(0, _scheduler.GatherNs);
        _scheduler.OnRound(2_000_000);
        Assert.Equal(500_000, _scheduler.GatherNs);

        // Who gathers longer sends what a leader that told through it repeats.
        for (int i = 0; i < 100; i++)
        {
            _scheduler.OnRound(10 * RingOptions.Default.RtoMinNs);
        }

        Assert.Equal(RingOptions.Default.RtoMinNs, _scheduler.GatherNs);
    }
}
