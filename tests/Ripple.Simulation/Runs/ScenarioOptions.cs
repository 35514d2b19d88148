using Ripple.Simulator.Oracles;
using Ripple.Simulator.Scripts;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Runs;

/// <summary>What one run of a scenario is told.</summary>
internal sealed record ScenarioOptions
{
    /// <summary>The scenario, as the command line names it.</summary>
    public string Scenario { get; init; } = CommandLine.ScenarioDefault;

    /// <summary>How long the run is, in simulated seconds.</summary>
    public int Seconds { get; init; } = CommandLine.SecondsDefault;

    /// <summary>How many nodes there are, beside the hosts.</summary>
    public int Nodes { get; init; } = CommandLine.NodesDefault;

    /// <summary>What is judged besides the rules that always are.</summary>
    public Judges Judges { get; init; } = Judges.None;

    /// <summary>Keep a log of the run in <see cref="RunResult.Log"/>.</summary>
    public bool IsVerbose { get; init; }

    /// <summary>Which items the run keeps. Default all.</summary>
    public RunExcerpt Excerpt { get; init; } = RunExcerpt.All;

    /// <summary>What the run draws from; made for one run.</summary>
    public RunScript Script { get; init; } = RunScript.None;

    /// <summary>Keeps what happens in the run; made for one run. Null for nothing.</summary>
    public TraceLog? Trace { get; init; }

    /// <summary>What a replay needs on the command line beside the seed.</summary>
    public string ReplayArguments
    {
        get
        {
            var arguments = new List<string>();
            if (Scenario != CommandLine.ScenarioDefault)
            {
                arguments.Add($"--scenario {Scenario}");
            }

            if (Seconds != CommandLine.SecondsDefault)
            {
                arguments.Add($"--seconds {Seconds}");
            }

            if (Nodes != CommandLine.NodesDefault)
            {
                arguments.Add($"--nodes {Nodes}");
            }

            if (Judges != Judges.None)
            {
                arguments.Add($"--judge {Judges.ToString().Replace(" ", "", StringComparison.Ordinal)}");
            }

            foreach ((string option, RunItem item) in CommandLine.KeepOptions)
            {
                if (Excerpt.Of(item) is { } kept)
                {
                    arguments.Add($"{option} {ItemNames.Format(kept)}");
                }
            }

            return string.Join(' ', arguments);
        }
    }
}
