using Ripple.Attacks.Runs;

namespace Ripple.Attacks.Tests;

public sealed class JudgementTests
{
    private static readonly Measured Before = new(300, 0, 10, 40, 60);

    [Fact]
    public void What_stays_within_every_rule_is_held() => Assert.Empty(Judgement.Broken(Before, Before, 20, 20, 0, true));

    [Fact]
    public void One_publish_that_is_lost_is_too_many() => Assert.Single(Judgement.Broken(Before with { Lost = 1 }, Before, 0, 0, 0, null));

    [Theory]
    [InlineData(40, 80, true)]
    [InlineData(40, 80.1, false)]
    [InlineData(5, 50, true)]
    [InlineData(5, 50.1, false)]
    public void The_p99_may_be_twice_the_baseline_or_50_ms(double baselineMs, double p99Ms, bool isHeld) =>
        Assert.Equal(isHeld, !Judgement.Broken(Before with { P99Ms = p99Ms }, Before with { P99Ms = baselineMs }, 0, 0, 0, null).Any());

    [Theory]
    [InlineData(150, 0, 100, true)]
    [InlineData(151, 0, 100, false)]
    [InlineData(60, 51, 100, false)]
    public void Memory_stays_within_what_is_printed_and_goes_back(double peakMb, double afterMb, double printedMb, bool isHeld) =>
        Assert.Equal(isHeld, !Judgement.Broken(Before, Before, peakMb, afterMb, printedMb, null).Any());

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(null, true)]
    public void An_attacker_with_a_name_is_named(bool? isNamed, bool isHeld) =>
        Assert.Equal(isHeld, !Judgement.Broken(Before, Before, 0, 0, 0, isNamed).Any());
}
