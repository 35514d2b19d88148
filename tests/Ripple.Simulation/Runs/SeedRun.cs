using Ripple.Simulator.Scripts;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Runs;

/// <summary>
/// Runs one seed of a scenario, whole or without some of its items. Before the first run without some, the whole run is recorded: from it
/// the others take what chance drew for the items they keep.
/// </summary>
internal sealed class SeedRun(IScenario scenario, ulong seed, ScenarioOptions options)
{
    private RunScript? _recorded;

    /// <summary>The seed.</summary>
    public ulong Seed => seed;

    /// <summary>The items the options keep.</summary>
    public RunExcerpt Excerpt => options.Excerpt;

    /// <summary>Runs what the options keep.</summary>
    public RunResult Run(TraceLog? trace = null) => Run(options.Excerpt, trace);

    /// <summary>Runs what an excerpt keeps.</summary>
    public RunResult Run(RunExcerpt excerpt, TraceLog? trace = null)
    {
        RunScript script = excerpt == RunExcerpt.All ? RunScript.None : Recorded().Replay(excerpt);
        return scenario.Run(seed, OptionsOf(excerpt) with { Script = script, Trace = trace });
    }

    /// <summary>The options that keep what an excerpt keeps.</summary>
    public ScenarioOptions OptionsOf(RunExcerpt excerpt) => options with { Excerpt = excerpt };

    /// <summary>The items of the whole run, as far as it came.</summary>
    public IReadOnlyList<string> ItemsOf(RunItem item) => Recorded().ItemsOf(item);

    private RunScript Recorded()
    {
        if (_recorded is null)
        {
            var script = RunScript.Record();
            scenario.Run(seed, OptionsOf(RunExcerpt.All) with { Script = script });
            _recorded = script;
        }

        return _recorded;
    }
}
