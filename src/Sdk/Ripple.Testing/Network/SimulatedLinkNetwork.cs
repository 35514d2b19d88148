using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Network;

/// <summary>
/// The control connections of a simulated world: what a machine's <see cref="SimulatedMachine.Peer"/> says is what TLS would have proved.
/// Frames keep their order and are lost only with their connection. Belongs to the simulation's thread.
/// </summary>
internal sealed class SimulatedLinkNetwork
{
    private readonly Dictionary<int, SimulatedListener> _listeners = [];
    private readonly List<SimulatedLink> _links = [];
    private StableHash _hash = StableHash.Create();

    internal SimulatedLinkNetwork(SimulatedWorld world, LinkNetworkOptions options, DeterministicRandom random)
    {
        World = world;
        Options = options;
        Random = random;
        world.Connectivity.Changed = OnConnectivity;
    }

    /// <summary>The sizes and times.</summary>
    public LinkNetworkOptions Options { get; }

    /// <summary>How many frames were handed to their receivers.</summary>
    public long DeliveredCount { get; private set; }

    /// <summary>How many connections were made.</summary>
    public long ConnectedCount { get; private set; }

    internal SimulatedWorld World { get; }

    internal DeterministicRandom Random { get; }

    internal SimulationScheduler Scheduler => World.Scheduler;

    /// <summary>Opens a machine's door: from now until the process ends, connections to it reach the acceptor.</summary>
    /// <exception cref="InvalidOperationException">It is open already.</exception>
    public SimulatedListener Listen(SimulatedMachine machine, ILinkAcceptor acceptor)
    {
        ArgumentNullException.ThrowIfNull(machine);
        if (_listeners.ContainsKey(machine.Index))
        {
            throw new InvalidOperationException($"{machine} listens already.");
        }

        var listener = new SimulatedListener(this, machine, acceptor);
        _listeners.Add(machine.Index, listener);
        return listener;
    }

    /// <summary>
    /// Makes the connector of the process that runs on a machine. The end point <c>name:port</c> is the machine of that name, whatever the
    /// port.
    /// </summary>
    public ILinkConnector CreateConnector(SimulatedMachine machine) => new SimulatedLinkConnector(this, machine);

    /// <summary>Adds all that was delivered, and when, to a state hash.</summary>
    public void AddTo(ref StableHash hash)
    {
        hash.Add(DeliveredCount);
        hash.Add(ConnectedCount);
        hash.Add(_hash.Value);
    }

    internal SimulatedListener? ListenerOf(SimulatedMachine machine) => _listeners.GetValueOrDefault(machine.Index);

    internal void Close(SimulatedMachine machine) => _listeners.Remove(machine.Index);

    internal void Add(SimulatedLink link)
    {
        if ((++ConnectedCount & 63) == 0)
        {
            _links.RemoveAll(l => !l.IsOpen && !l.Other.IsOpen);
        }

        _links.Add(link);
    }

    internal void CountDelivery(in FrameUnderWay frame)
    {
        DeliveredCount++;
        _hash.Add(Scheduler.NowNs);
        _hash.Add(((ulong)SimulatedNetwork.Checksum(frame.Body.AsSpan(0, frame.Length)) << 16) | frame.Type);
    }

    private void OnConnectivity()
    {
        // By index: ending a connection from inside does not change the list, making one appends.
        for (int i = 0; i < _links.Count; i++)
        {
            if (_links[i].IsOpen || _links[i].Other.IsOpen)
            {
                _links[i].OnConnectivity();
            }
        }
    }
}
