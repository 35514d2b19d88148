using Ripple.Gms.Placement;
using Ripple.Gms.Store;

namespace Ripple.Gms.Tests.Placement;

/// <summary>The epoch of a start: above the stored one, never around the end of the numbers, and how far claims may raise it.</summary>
public sealed class GmsStartTests
{
    private const uint Now = 1_795_345_109;
    private const long NowMicros = Now * 1_000_000L;

    [Theory]
    [InlineData(0u, Now)]
    [InlineData(Now - 1, Now)]
    [InlineData(Now, Now + 1)]
    [InlineData(uint.MaxValue - 1, uint.MaxValue)]
    public void A_start_has_the_clocks_epoch_or_the_one_after_the_stored(uint stored, uint expected) =>
        Assert.Equal(expected, GmsStart.Plan(State(stored), NowMicros).SlotEpoch);

    [Fact]
    public void A_start_after_the_last_epoch_is_refused_and_says_how_to_go_on()
    {
        StoreException e = Assert.Throws<StoreException>(() => GmsStart.Plan(State(uint.MaxValue), NowMicros));
        Assert.Contains("4294967295", e.Message, StringComparison.Ordinal);
        Assert.Contains("restore --reset-epoch", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Now, NowMicros, Now + 86_400)]
    [InlineData(Now + 86_000, NowMicros, Now + 87_024)]
    [InlineData(Now, 0L, Now + 1_024)]
    [InlineData(uint.MaxValue - 5, NowMicros, uint.MaxValue)]
    [InlineData(1u, long.MaxValue, (uint.MaxValue / 2) + 86_400)]
    public void Claims_reach_a_day_above_the_clock_or_a_little_above_the_epoch(uint epoch, long clockMicros, uint expected) =>
        Assert.Equal(expected, GmsStart.ClaimedMax(epoch, clockMicros));

    private static HostState State(uint epoch) => new(1, null, epoch, [], [], 0);
}
