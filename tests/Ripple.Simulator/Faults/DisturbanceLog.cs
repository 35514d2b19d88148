using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Faults;

/// <summary>
/// Until when each machine was paused or cut off by a fault: a checker that needs to be certain of a machine looks for a time since.
/// </summary>
internal sealed class DisturbanceLog
{
    private readonly SortedDictionary<int, long> _untilNs = [];

    /// <summary>Records that a fault, which begins now, disturbs machines until a time.</summary>
    public void Add(IEnumerable<SimulatedMachine> machines, long untilNs)
    {
        ArgumentNullException.ThrowIfNull(machines);
        foreach (SimulatedMachine machine in machines)
        {
            _untilNs[machine.Index] = Math.Max(untilNs, _untilNs.GetValueOrDefault(machine.Index));
        }
    }

    /// <summary>Whether nothing has disturbed a machine since a time.</summary>
    public bool IsQuietSince(SimulatedMachine machine, long sinceNs)
    {
        ArgumentNullException.ThrowIfNull(machine);
        return _untilNs.GetValueOrDefault(machine.Index) < sinceNs || !_untilNs.ContainsKey(machine.Index);
    }
}
