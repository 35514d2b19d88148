using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Tests.Lists;

public sealed class SampleTests
{
    private static readonly List<Mutant> Mutants =
    [
        .. from room in Enumerable.Range(0, 6)
           from kind in Enumerable.Range(0, 4)
           select TestMutant.Of("a", "b", $"{room}-{kind}", $"room{room}", $"kind{kind}"),
    ];

    [Theory]
    [InlineData(3)]
    [InlineData(6)]
    [InlineData(13)]
    public void A_sample_is_spread_over_rooms_and_kinds(int count)
    {
        List<Mutant> sample = Sample.Of(Mutants, count);

        Assert.Equal(count, sample.Distinct().Count());
        Assert.True(sample.GroupBy(m => m.Room).Max(g => g.Count()) <= (count / 6) + 1);
        Assert.True(sample.GroupBy(m => m.Class).Max(g => g.Count()) <= (count / 4) + 1);
        Assert.Equal(sample, Sample.Of(Mutants, count));
    }

    [Fact]
    public void A_sample_of_more_than_there_are_is_all() => Assert.Equal(Mutants.Count, Sample.Of(Mutants, 1_000).Count);
}
