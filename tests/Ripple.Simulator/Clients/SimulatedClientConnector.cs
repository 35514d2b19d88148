using Ripple.Client.Running;
using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;
using Ripple.Trust;

namespace Ripple.Simulator.Clients;

/// <summary>Connects a client of the process running on a machine over the simulated control network.</summary>
internal sealed class SimulatedClientConnector(SimulatedMachine machine) : IClientConnector
{
    private readonly ILinkConnector _connector = machine.World.Control.CreateConnector(machine);

    /// <inheritdoc/>
    public AuthorityTrust? Authority => SimulatedTrust.Authority;

    /// <inheritdoc/>
    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result) => _connector.Connect(endpoint, result);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => default;
}
