using System.Globalization;
using System.Text.RegularExpressions;
using Ripple.Mutants.Building;
using Ripple.Mutants.Rewriting;

namespace Ripple.Mutants.Running;

/// <summary>Runs tests of the instrumented copy with one mutant switched on, or none.</summary>
internal sealed partial class TestProgram(InstrumentedCopy copy)
{
    private const int Passed = 0;
    private const int NothingRan = 8;

    /// <param name="step">Which tests.</param>
    /// <param name="mutant">The number of the mutant; 0 for none.</param>
    /// <param name="limit">After that time the process is killed, which counts as a failure.</param>
    /// <param name="stopsAtFirst">Whether the first test to fail ends the others.</param>
    public TestOutcome Run(TestStep step, int mutant, TimeSpan limit, bool stopsAtFirst = true) =>
        Run(step.Project, stopsAtFirst ? ["--stop-on-fail", "on", .. step.Arguments] : step.Arguments, mutant, limit);

    /// <summary>Runs one test again.</summary>
    public TestOutcome Again(string project, string test, int mutant, TimeSpan limit) =>
        Run(project, ["--filter-method", test], mutant, limit);

    private TestOutcome Run(string project, IEnumerable<string> filter, int mutant, TimeSpan limit)
    {
        string assembly = copy.AssemblyOf(project);
        var process = new ChildProcess(
            "dotnet",
            ["exec", assembly, "--no-ansi", "--no-progress", .. filter],
            Path.GetDirectoryName(assembly)!);
        // Tests that feed random bytes to decoders take as many as these: enough for what a mutant breaks, and quick.
        process.Environment["RIPPLE_FUZZ_COUNT"] = "5000";
        process.Environment[SwitchSource.Variable] = mutant.ToString(CultureInfo.InvariantCulture);
        ChildResult result = process.Run(limit);
        return Judge(result);
    }

    public static TestOutcome Judge(ChildResult result)
    {
        if (result.IsTimeout)
        {
            return new TestOutcome(false, "timeout", [], result);
        }

        if (result.ExitCode is Passed or NothingRan)
        {
            return new TestOutcome(true, "", [], result);
        }

        string[] failed = [.. FailedTest().Matches(result.Output).Select(m => m.Groups[1].Value).Distinct()];
        return new TestOutcome(false, failed.Length > 0 ? failed[0] : $"ended with {result.ExitCode}", failed, result);
    }

    [GeneratedRegex(@"^failed ([\w.+]+)", RegexOptions.Multiline)]
    private static partial Regex FailedTest();
}
