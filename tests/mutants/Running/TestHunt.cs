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
            string? seen = SeenIn(outcome, step, mutant, limit);
            if (seen is null && !outcome.IsWell)
            {
                // What failed was no fault of the mutant, and ended the tests after it.
                outcome = _tests.Run(step, mutant, limit, stopsAtFirst: false);
                seen = SeenIn(outcome, step, mutant, limit);
            }

            if (seen is not null)
            {
                return seen;
            }
        }

        return null;
    }

    private string? SeenIn(TestOutcome outcome, TestStep step, int mutant, TimeSpan limit) =>
        !outcome.IsWell && outcome.FailedTests.Count == 0
            ? $"{step.Project}: {outcome.What}"
            : outcome.FailedTests.FirstOrDefault(t => IsSeenBy(step, t, mutant, limit));

    /// <summary>
    /// A test that does not fail again with the mutant was ended by the one that failed, or saw the machine; one that fails without it too
    /// says nothing of it.
    /// </summary>
    private bool IsSeenBy(TestStep step, string test, int mutant, TimeSpan limit) =>
        !_tests.Again(step.Project, test, mutant, limit).IsWell && _tests.Again(step.Project, test, 0, limit).IsWell;
}
