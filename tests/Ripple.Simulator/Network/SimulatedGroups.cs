using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Core;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>Joins multicast groups for the process of one machine, as far as multicast reaches the machine.</summary>
/// <param name="network">The network.</param>
/// <param name="machine">The machine.</param>
/// <param name="reach">How multicast reaches the machine.</param>
internal sealed class SimulatedGroups(SimulatedNetwork network, SimulatedMachine machine, GroupReach reach) : IDatagramGroups
{
    /// <inheritdoc/>
    public bool TryJoin(in NodeAddress group, [NotNullWhen(true)] out IDatagramPort? port, out string reason)
    {
        ArgumentNullException.ThrowIfNull(network);
        port = reach switch
        {
            GroupReach.Whole => network.OpenGroup(machine, group),
            GroupReach.Silent => network.Open(machine),
            _ => null,
        };
        reason = port is null ? "the simulated system has no multicast" : string.Empty;
        return port is not null;
    }
}
