using Ripple.Testing.Network;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Faults;

/// <summary>One fault of a plan.</summary>
/// <param name="Kind">What happens.</param>
/// <param name="StartNs">When it begins, in simulated time.</param>
/// <param name="EndNs">When it ends: a partition heals, a crashed process starts again.</param>
/// <param name="Machines">Whom it befalls; empty for all.</param>
/// <param name="Added">What it adds to paths; null when it is no burst.</param>
/// <param name="IsSilent">For a crash: true when the power is lost.</param>
internal sealed record PlannedFault(
    FaultKind Kind, long StartNs, long EndNs, IReadOnlyList<SimulatedMachine> Machines, PathProfile? Added, bool IsSilent)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"{StartNs / 1_000_000} to {EndNs / 1_000_000} ms: {Kind}{(IsSilent ? " (power)" : "")} of "
            + $"{(Machines.Count == 0 ? "all" : string.Join(", ", Machines))}";
}
