namespace Ripple.Simulation.Runs;

/// <summary>What a simulated world consists of and does. One object is used by many threads: it keeps no state of a run.</summary>
internal interface IScenario
{
    /// <summary>
    /// Runs one seed to its end or to its first violation. Never throws for a violation. The same build, seed and options give the same
    /// result.
    /// </summary>
    RunResult Run(ulong seed, ScenarioOptions options);
}
