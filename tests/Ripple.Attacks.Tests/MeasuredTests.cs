using System.Diagnostics;
using Ripple.Attacks.Runs;

namespace Ripple.Attacks.Tests;

public sealed class MeasuredTests
{
    private static readonly long Ms = Stopwatch.Frequency / 1_000;

    [Fact]
    public void A_publish_takes_until_its_last_member()
    {
        var measured = Measured.Of(At((1, 0), (2, 50)), [At((1, 5), (2, 57)), At((1, 9), (2, 56))]);

        Assert.Equal((2, 0, 7d, 9d, 9d), (measured.Published, measured.Lost, measured.P50Ms, measured.P99Ms, measured.MaxMs));
    }

    [Fact]
    public void A_member_that_goes_to_a_newer_state_has_the_older_ones_with_it()
    {
        var measured = Measured.Of(At((1, 0), (2, 0), (3, 0)), [At((1, 1), (2, 2), (3, 3)), At((3, 30))]);

        Assert.Equal((0, 30d), (measured.Lost, measured.P50Ms));
    }

    [Fact]
    public void What_one_member_never_had_is_lost()
    {
        var measured = Measured.Of(At((1, 0), (2, 0)), [At((1, 1), (2, 2)), At((1, 4))]);

        Assert.Equal((1, 4d), (measured.Lost, measured.MaxMs));
    }

    [Fact]
    public void Of_nothing_that_arrived_there_are_no_times()
    {
        var measured = Measured.Of(At((1, 0)), [At()]);

        Assert.Equal((1, null), (measured.Lost, measured.P99Ms));
    }

    [Theory]
    [InlineData(100, 99, 99)]
    [InlineData(300, 99, 297)]
    [InlineData(40, 99, 40)]
    [InlineData(1, 50, 1)]
    public void Percentiles_are_by_nearest_rank(int count, double percent, double expected) =>
        Assert.Equal(expected, Measured.Rank([.. Enumerable.Range(1, count).Select(i => (double)i)], percent));

    private static Dictionary<long, long> At(params (long Number, long Ms)[] times) =>
        times.ToDictionary(t => t.Number, t => 1 + (t.Ms * Ms));
}
