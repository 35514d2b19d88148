using Ripple.Mutants.Building;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Running;

/// <summary>Looks for a mutant with tests, the nearest first, until one fails.</summary>
internal sealed class TestHunt(InstrumentedCopy copy, Baseline baseline)
{
    private readonly TestProgram _tests = new(copy);

    /// <summary>The test that sees the mutant; null when none does.</summary>
    public string? SeenBy(Room room, int mutant)
    {
        foreach (TestStep step in TestPlan.Of(room))
        {
            TimeSpan limit = baseline.LimitOf(step.Project);
            TestOutcome outcome = _tests.Run(step, mutant, limit);
            if (!outcome.IsWell && !IsChance(step, outcome, mutant, limit))
            {
                return outcome.FailedTest is null ? $"{step.Project}: {outcome.What}" : outcome.What;
            }
        }

        return null;
    }

    /// <summary>A test that does not fail again with the mutant, or fails without it, saw the machine and not the mutant.</summary>
    private bool IsChance(TestStep step, TestOutcome outcome, int mutant, TimeSpan limit) =>
        outcome.FailedTest is { } test
        && (_tests.Again(step.Project, test, mutant, limit).IsWell || !_tests.Again(step.Project, test, 0, limit).IsWell);
}
