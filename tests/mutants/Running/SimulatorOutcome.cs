namespace Ripple.Mutants.Running;

/// <summary>What the simulator saw in some seeds.</summary>
/// <param name="IsSeen">Something was wrong.</param>
/// <param name="What">The checker and the seed, or how the process ended; empty when nothing was wrong.</param>
/// <param name="FoundBy">For each checker that found something, the first seed in which it did.</param>
/// <param name="Process">The process.</param>
internal sealed record SimulatorOutcome(
    bool IsSeen, string What, IReadOnlyDictionary<string, ulong> FoundBy, ChildResult Process);
