using Ripple.Mutants.Lists;
using Ripple.Mutants.Running;

namespace Ripple.Mutants.Tests.Running;

public sealed class TestPlanTests
{
    [Fact]
    public void The_rooms_own_tests_run_first_and_no_test_runs_twice()
    {
        var room = new Room
        {
            Name = "R",
            Folders = ["src/R"],
            Tests = "A.Tests",
            First = ["A.Tests.R"],
            Then = ["B.Tests"],
            IsSimulated = true,
        };

        List<TestStep> steps = [.. TestPlan.Of(room)];

        Assert.Equal(["A.Tests", "A.Tests", "B.Tests"], steps.Select(s => s.Project));
        Assert.Equal(["--filter-namespace", "A.Tests.R"], steps[0].Arguments);
        Assert.Equal(["--filter-not-namespace", "A.Tests.R"], steps[1].Arguments);
        Assert.Empty(steps[2].Arguments);
    }

    [Fact]
    public void A_room_without_tests_of_its_own_begins_with_the_project()
    {
        var room = new Room { Name = "R", Folders = ["src/R"], Tests = "A.Tests", First = [], Then = [], IsSimulated = true };

        Assert.Empty(Assert.Single(TestPlan.Of(room)).Arguments);
    }
}
