using System.Net;
using Ripple.Client.Running;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.Verification;
using Ripple.Engine.Core;
using Ripple.Engine.Nodes;
using Ripple.Simulator.Network;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;
using Ripple.Transports.Links;

namespace Ripple.Simulator.Clients;

/// <summary>
/// Runs clients in the process that runs on a machine at construction: on its core, ports and links, with their other work as events. What
/// the process had under way ends with it, without a word to the clients.
/// </summary>
internal sealed class SimulatedDriver : IRuntimeDriver
{
    private readonly SimulatedMachine _machine;
    private readonly SimulatedClock _clock;
    private readonly SimulatedAuthority _authority;
    private readonly CancellationTokenSource _stopped = new();
    private SharedVerifier? _verifier;

    /// <param name="machine">The machine; a process is running or starting on it.</param>
    /// <param name="scheduler">The work outside the core.</param>
    /// <param name="files">The files for snapshots.</param>
    /// <param name="authority">The cluster's authority.</param>
    public SimulatedDriver(
        SimulatedMachine machine, SimulatedClientScheduler scheduler, ISnapshotFiles files, SimulatedAuthority authority)
    {
        _machine = machine;
        _clock = (SimulatedClock)scheduler.Clock;
        _authority = authority;
        Core = machine.Core;
        Scheduler = scheduler;
        Files = files;
    }

    /// <inheritdoc/>
    public CoreLoop Core { get; }

    /// <inheritdoc/>
    public CancellationToken Stopped => _stopped.Token;

    /// <inheritdoc/>
    public Exception? Failure => null;

    /// <inheritdoc/>
    public IClientScheduler Scheduler { get; }

    /// <inheritdoc/>
    public ISnapshotFiles Files { get; }

    /// <summary>How multicast reaches the machine. Default <see cref="GroupReach.Whole"/>.</summary>
    public GroupReach GroupReach { get; init; } = GroupReach.Whole;

    /// <summary>Called with each port opened.</summary>
    public Action<PortLane, IDatagramPort>? OnPort { get; init; }

    /// <summary>Given each handler of a node; returns the one to use, which passes every event on. Null for the same one.</summary>
    public Func<INodeHandler, INodeHandler>? OnHandler { get; init; }

    /// <inheritdoc/>
    public void Post(Request request)
    {
        if (_clock.IsRunning)
        {
            _machine.Post(request);
        }
    }

    /// <inheritdoc/>
    public SharedVerifier AcquireVerifier(ReadOnlySpan<byte> fingerprint) =>
        _verifier ??= new SharedVerifier(fingerprint, Scheduler, _ => new SimulatedReleaseVerifier(_authority));

    /// <inheritdoc/>
    public INodeHandler Observe(INodeHandler handler) => OnHandler?.Invoke(handler) ?? handler;

    /// <inheritdoc/>
    public IDatagramPort OpenPort(IPAddress local, IPAddress? advertised, PortLane lane)
    {
        SimulatedPort port = _machine.World.Network.Open(_machine);
        OnPort?.Invoke(lane, port);
        return port;
    }

    /// <inheritdoc/>
    public IDatagramGroups? GroupsOn(IPAddress local) => new SimulatedGroups(_machine.World.Network, _machine, GroupReach);

    /// <inheritdoc/>
    public IClientConnector OpenConnector(LinkConnectorOptions options) => new SimulatedClientConnector(_machine);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _stopped.Cancel();
        return default;
    }
}
