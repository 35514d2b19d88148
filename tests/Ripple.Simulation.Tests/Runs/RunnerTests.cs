using System.Text.Json;
using Ripple.Simulation.Runs;
using Ripple.Simulation.Scenarios;

namespace Ripple.Simulation.Tests.Runs;

public class RunnerTests
{
    private const string Short = "--seconds 6 --nodes 4";

    [Fact]
    public void The_same_seed_ends_in_the_same_state_and_another_in_another()
    {
        var scenario = new FloodScenario();
        var options = new ScenarioOptions { Seconds = 6, Nodes = 4 };
        RunResult first = scenario.Run(1, options);
        Assert.Null(first.Violation);
        Assert.True(first.Applied > 1_000);
        Assert.Equal(first.StateHash, scenario.Run(1, options).StateHash);
        Assert.NotEqual(first.StateHash, scenario.Run(2, options).StateHash);
    }

    [Fact]
    public void The_last_line_is_json_that_does_not_depend_on_the_number_of_threads()
    {
        JsonElement one = LastLine($"--seeds 1..6 {Short} --threads 1", out int code);
        Assert.Equal(0, code);
        JsonElement three = LastLine($"--seeds 1..6 {Short} --threads 3", out _);
        Assert.Equal(6, one.GetProperty("seeds").GetInt32());
        Assert.Equal(0, one.GetProperty("violations").GetInt32());
        Assert.Equal(36, one.GetProperty("simulated_s").GetDouble());
        Assert.True(one.GetProperty("wall_s").GetDouble() > 0);
        Assert.True(one.GetProperty("faults").GetProperty("datagramLost").GetInt64() > 0);
        foreach (string name in (string[])["faults", "committed", "applied", "state_hash"])
        {
            Assert.Equal(one.GetProperty(name).GetRawText(), three.GetProperty(name).GetRawText());
        }
    }

    [Fact]
    public void A_violation_is_printed_with_its_replay_and_ends_with_1()
    {
        var output = new StringWriter();
        int code = new Runner(new Unlucky(13), Line("--seeds 10..15 --nodes 5"), output, TextWriter.Null).Run();
        Assert.Equal(1, code);
        Assert.Contains("--seeds 13..13 --nodes 5", output.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, Json(output).GetProperty("violations").GetInt32());
        Assert.Equal(13, Json(output).GetProperty("found_by").GetProperty("Luck").GetInt32());
        Assert.Equal("13 Luck", Assert.Single(Json(output).GetProperty("failed_seeds").EnumerateArray()).GetString());
    }

    [Fact]
    public void Json_alone_leaves_violations_to_the_error_stream()
    {
        var output = new StringWriter();
        var errors = new StringWriter();
        new Runner(new Unlucky(13), Line("--seeds 10..15 --json"), output, errors).Run();
        Assert.Single(output.ToString().Trim().Split('\n'));
        Assert.Contains("--seeds 13..13", errors.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_does_not_repeat_is_a_violation()
    {
        var output = new StringWriter();
        int code = new Runner(new Forgetful(), Line("--seeds 1 --twice"), output, TextWriter.Null).Run();
        Assert.Equal(1, code);
        Assert.Contains("Repeatability", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_program_that_plants_the_written_mutants_is_built_beside() =>
        Assert.True(File.Exists(MutantsProgram.PathOf(AppContext.BaseDirectory)));

    private static JsonElement LastLine(string arguments, out int code)
    {
        var output = new StringWriter();
        code = new Runner(new FloodScenario(), Line(arguments), output, TextWriter.Null).Run();
        return Json(output);
    }

    private static CommandLine Line(string arguments) => CommandLine.Parse(arguments.Split(' '), out _)!;

    private static JsonElement Json(StringWriter output) => JsonDocument.Parse(output.ToString().Trim().Split('\n')[^1]).RootElement;

    /// <summary>Finds a violation in one seed.</summary>
    private sealed class Unlucky(ulong unluckySeed) : IScenario
    {
        public RunResult Run(ulong seed, ScenarioOptions options)
        {
            var world = new Simulator.Simulation.SimulatedWorld(
                seed, new Simulator.Simulation.WorldOptions { ReplayArguments = options.ReplayArguments });
            Simulator.Checking.InvariantViolationException? violation = null;
            try
            {
                if (seed == unluckySeed)
                {
                    world.Fail("Luck", "bad luck");
                }
            }
            catch (Simulator.Checking.InvariantViolationException e)
            {
                violation = e;
            }

            return RunResult.Of(world, violation, 0, 0);
        }
    }

    /// <summary>Ends in another state each time.</summary>
    private sealed class Forgetful : IScenario
    {
        private int _runs;

        public RunResult Run(ulong seed, ScenarioOptions options) =>
            new() { Seed = seed, StateHash = (ulong)Interlocked.Increment(ref _runs) };
    }
}
