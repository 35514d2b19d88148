using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>
/// Connects one process to hosts: the endpoint <c>name:port</c> is the machine of that name, regardless of the port. An attempt takes two
/// round trips, also if the machine refuses because no process listens on it; if the machine does not answer (no power, a partition, no
/// such name), the attempt times out.
/// </summary>
internal sealed class SimulatedLinkConnector : ILinkConnector
{
    private readonly SimulatedLinkNetwork _network;
    private readonly SimulatedMachine _machine;

    public SimulatedLinkConnector(SimulatedLinkNetwork network, SimulatedMachine machine)
    {
        _network = network;
        _machine = machine;
    }

    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(result);
        int colon = endpoint.LastIndexOf(':');
        ReadOnlySpan<char> name = colon < 0 ? endpoint : endpoint.AsSpan(0, colon);
        SimulatedMachine? host = null;
        foreach (SimulatedMachine machine in _network.World.Machines)
        {
            if (name.SequenceEqual(machine.Name))
            {
                host = machine;
            }
        }

        var attempt = new SimulatedConnectAttempt(_network, _machine, host, endpoint, result);
        attempt.Start();
        return attempt;
    }
}
