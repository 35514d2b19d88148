using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>
/// The control connections of a simulated world. A machine's <see cref="SimulatedMachine.Peer"/> is the identity that TLS would have
/// proved. Frames keep their order and are lost only with their connection. Belongs to the simulation's thread.
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

    /// <summary>Sees every frame that is handed to its receiver; null for none.</summary>
    public FrameObserver? Tap { get; set; }

    /// <summary>The number of frames handed to their receivers.</summary>
    public long DeliveredCount { get; private set; }

    /// <summary>The number of connection ends created: two for each connection.</summary>
    public long ConnectedCount { get; private set; }

    internal SimulatedWorld World { get; }

    internal DeterministicRandom Random { get; }

    internal SimulationScheduler Scheduler => World.Scheduler;

    /// <summary>Makes a machine listen: connections to it reach the acceptor until its process ends.</summary>
    /// <exception cref="InvalidOperationException">The machine is already listening.</exception>
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
    /// Creates the connector of the process running on a machine. The endpoint <c>name:port</c> is the machine of that name, regardless of
    /// the port.
    /// </summary>
    public ILinkConnector CreateConnector(SimulatedMachine machine) => new SimulatedLinkConnector(this, machine);

    /// <summary>Adds all deliveries and their times to a state hash.</summary>
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
        // By index, because connections may be added during the loop; ending one does not change the list.
        for (int i = 0; i < _links.Count; i++)
        {
            if (_links[i].IsOpen || _links[i].Other.IsOpen)
            {
                _links[i].OnConnectivity();
            }
        }
    }
}
