using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Faults;

/// <summary>One fault of a plan.</summary>
/// <param name="Kind">The kind of fault.</param>
/// <param name="StartNs">The start, in simulated time.</param>
/// <param name="EndNs">The end: a partition heals, a crashed process restarts.</param>
/// <param name="Machines">The machines affected; empty for all.</param>
/// <param name="Added">The impairment added to paths; null unless it is a burst.</param>
/// <param name="IsSilent">For a crash: true for a loss of power.</param>
/// <param name="Strength">How bad it is, from 0 to less than 1.</param>
internal sealed record PlannedFault(
    FaultKind Kind, long StartNs, long EndNs, IReadOnlyList<SimulatedMachine> Machines, PathProfile? Added, bool IsSilent, double Strength)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"{StartNs / 1_000_000} to {EndNs / 1_000_000} ms: {Describe()}";

    /// <summary>What it does to which machines, without its times.</summary>
    public string Describe() =>
        $"{Kind}{(IsSilent ? " (power)" : "")} of {(Machines.Count == 0 ? "all" : string.Join(", ", Machines))}";
}
