using Ripple.Mutants.Running;

namespace Ripple.Mutants.Tests.Running;

public sealed class JudgementTests
{
    [Fact]
    public void A_failed_test_is_named()
    {
        TestOutcome outcome = TestProgram.Judge(Ended(2, "xUnit\nfailed A.B.Tests.C_is_d(seed: 1) (3ms)\n  message\n"));

        Assert.False(outcome.IsWell);
        Assert.Equal(["A.B.Tests.C_is_d"], outcome.FailedTests);
    }

    [Fact]
    public void All_that_failed_are_named_for_the_first_to_fail_ends_others()
    {
        const string Output = "failed A.Ended_by_it (3ms)\n  message\nfailed A.Is_it(seed: 1) (3ms)\nfailed A.Is_it(seed: 2) (3ms)\n";

        Assert.Equal(["A.Ended_by_it", "A.Is_it"], TestProgram.Judge(Ended(2, Output)).FailedTests);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(8, true)]
    [InlineData(134, false)]
    public void An_exit_code_says_whether_all_is_well(int code, bool isWell) =>
        Assert.Equal(isWell, TestProgram.Judge(Ended(code, "")).IsWell);

    [Fact]
    public void What_hangs_is_seen()
    {
        var hanging = new ChildResult(-1, "", true, TimeSpan.Zero);

        Assert.Equal("timeout", TestProgram.Judge(hanging).What);
        Assert.True(SimulatorProgram.Judge("host", hanging).IsSeen);
    }

    [Fact]
    public void The_simulator_says_which_checker_found_it_first()
    {
        const string Line = """{"seeds":8,"violations":2,"found_by":{"States":7,"Views":3}}""";

        SimulatorOutcome outcome = SimulatorProgram.Judge("host", Ended(1, "a violation\n" + Line + "\n"));

        Assert.Equal("host: Views at seed 3", outcome.What);
        Assert.Equal(7UL, outcome.FoundBy["States"]);
    }

    [Fact]
    public void What_finds_known_faults_in_a_profile_does_not_count_there()
    {
        const string Line = """{"seeds":8,"violations":2,"found_by":{"States":7,"Views":3}}""";
        SimulatorOutcome outcome = SimulatorProgram.Judge("disk", Ended(1, Line));

        Assert.Equal("disk: States at seed 7", outcome.Without(["Views"]).What);
        Assert.False(outcome.Without(["Views", "States"]).IsSeen);
        Assert.True(SimulatorProgram.Judge("disk", Ended(134, "Unhandled exception")).Without(["Views"]).IsSeen);
    }

    [Fact]
    public void A_simulator_that_falls_over_has_seen_something() =>
        Assert.Equal("host: ended with 134", SimulatorProgram.Judge("host", Ended(134, "Unhandled exception")).What);

    [Fact]
    public void A_simulator_without_a_violation_has_seen_nothing() =>
        Assert.False(SimulatorProgram.Judge("host", Ended(0, """{"seeds":8,"violations":0,"found_by":{}}""")).IsSeen);

    [Fact]
    public void A_process_that_does_not_end_is_killed()
    {
        ChildResult result = new ChildProcess("sleep", ["60"], Path.GetTempPath()).Run(TimeSpan.FromMilliseconds(200));

        Assert.True(result.IsTimeout);
        Assert.True(result.Took < TimeSpan.FromSeconds(30));
    }

    private static ChildResult Ended(int code, string output) => new(code, output, false, TimeSpan.Zero);
}
