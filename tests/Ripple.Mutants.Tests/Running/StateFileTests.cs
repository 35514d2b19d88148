using Ripple.Mutants.Running;

namespace Ripple.Mutants.Tests.Running;

public sealed class StateFileTests
{
    [Fact]
    public void Verdicts_come_back_and_a_line_that_was_cut_off_does_not_count()
    {
        string path = Path.Combine(Path.GetTempPath(), $"mutants-{Guid.NewGuid():N}");
        try
        {
            var verdict = new Verdict { Mutant = "a", Room = "R", Class = "k", SeenByTest = "A.B(<1>)", Seconds = 1.5 };
            new StateFile(path).Add(verdict);
            File.AppendAllText(path, "{\"mutant\":\"b\",\"ro");

            Assert.Equal(verdict, Assert.Single(new StateFile(path).Load()).Value);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void The_last_line_counts_what_was_seen_by_either()
    {
        Verdict[] verdicts =
        [
            new() { Mutant = "a", Room = "R", Class = "k", SeenByTest = "t" },
            new() { Mutant = "b", Room = "R", Class = "k", SeenByTest = "t", SeenBySimulator = "s" },
            new() { Mutant = "c", Room = "R", Class = "k", SeenBySimulator = "s" },
            new() { Mutant = "d", Room = "R", Class = "k" },
        ];

        Assert.StartsWith(
            """{"mutants":4,"seen_by_tests":2,"seen_by_simulator":2,"seen":3,"left":5,"unseen":["d"]""",
            VerdictJson.Write(RunTotals.Of(verdicts, 5, ["gone"])),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Seeds_come_in_growing_portions_without_a_gap()
    {
        Assert.Equal([(1, 8), (9, 24), (25, 56), (57, 120), (121, 200)], SeedSteps.UpTo(200));
        Assert.Equal([(1, 5)], SeedSteps.UpTo(5));
    }
}
