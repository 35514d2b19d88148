using Ripple.Mutants.Drawing;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Tests.Drawing;

public sealed class DrawOrderTests
{
    private static readonly List<Mutant> Candidates =
    [
        .. from line in Enumerable.Range(0, 50)
           from kind in Enumerable.Range(0, 5)
           select TestMutant.Of($"line {line}", $"other {kind}", $"{line}-{kind}", kind: $"kind{kind}"),
    ];

    [Fact]
    public void The_same_seed_takes_the_same_and_another_takes_others()
    {
        Assert.Equal(Take(Candidates, 1), Take(Candidates, 1));
        Assert.Equal(Take(Candidates, 1), Take(Candidates.AsEnumerable().Reverse(), 1));
        Assert.NotEqual(Take(Candidates, 1), Take(Candidates, 2));
    }

    [Fact]
    public void Operators_take_turns_and_a_line_is_taken_once()
    {
        List<Mutant> taken = Take(Candidates, 1);

        Assert.Equal(10, taken.Select(m => m.Line).Distinct().Count());
        Assert.All(taken.GroupBy(m => m.Class), g => Assert.Equal(2, g.Count()));
    }

    [Fact]
    public void What_is_left_out_moves_only_those_of_its_kind()
    {
        List<Mutant> before = Take(Candidates, 1);
        Mutant gone = before[0];

        List<Mutant> after = Take(Candidates.Where(m => m != gone), 1);

        Assert.DoesNotContain(gone, after);
        Assert.True(before.Intersect(after).Count() >= 8);
    }

    private static List<Mutant> Take(IEnumerable<Mutant> candidates, int seed) => DrawOrder.Take(candidates, "R", seed, 10);
}
