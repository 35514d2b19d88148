using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>A host's listener for control connections. Closes with its process.</summary>
internal sealed class SimulatedListener : IMachineResource, IDisposable
{
    private readonly SimulatedLinkNetwork _network;
    private readonly SimulatedMachine _machine;

    internal SimulatedListener(SimulatedLinkNetwork network, SimulatedMachine machine, ILinkAcceptor acceptor)
    {
        _network = network;
        _machine = machine;
        Acceptor = acceptor;
        machine.Attach(this);
    }

    /// <summary>Returns why a peer is not admitted, or null to admit it. Null (the default) admits every peer.</summary>
    public Func<LinkPeer, LinkConnectFailure?>? Admission { get; set; }

    internal ILinkAcceptor Acceptor { get; }

    /// <summary>Stops listening; existing connections stay open.</summary>
    public void Dispose()
    {
        _machine.Detach(this);
        _network.Close(_machine);
    }

    void IMachineResource.OnCrash(bool isSilent) => _network.Close(_machine);
}
