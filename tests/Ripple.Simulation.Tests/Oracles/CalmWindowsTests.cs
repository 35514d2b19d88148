using Ripple.Simulator.Faults;

namespace Ripple.Simulation.Tests.Oracles;

public class CalmWindowsTests
{
    private static readonly CalmWindows Calms = new(15, 5);

    [Theory]
    [InlineData(0, false, 10, 0)]
    [InlineData(9, false, 10, 9)]
    [InlineData(10, true, 10, 15)]
    [InlineData(14, true, 25, 15)]
    [InlineData(15, false, 25, 15)]
    [InlineData(26, true, 40, 30)]
    public void Windows_lie_at_the_end_of_each_period(long ns, bool isCalm, long nextStart, long after)
    {
        Assert.Equal(isCalm, Calms.IsCalm(ns));
        Assert.Equal(nextStart, Calms.NextStart(ns));
        Assert.Equal(after, Calms.After(ns));
    }

    [Fact]
    public void Without_windows_nothing_is_calm()
    {
        Assert.False(CalmWindows.None.IsCalm(7));
        Assert.Equal(long.MaxValue, CalmWindows.None.NextStart(7));
        Assert.Equal(7, CalmWindows.None.After(7));
    }
}
