using Ripple.Engine.Core;
using Ripple.Testing.Faults;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Network;

/// <summary>
/// Connects one process to hosts. An attempt takes two round-trips; a machine without a listening process refuses after one; one that does not answer
/// (no power, a partition) lets it time out.
/// </summary>
internal sealed class SimulatedControlConnector : IControlConnector, IMachineResource
{
    private readonly SimulatedControlNetwork _network;
    private readonly SimulatedMachine _machine;
    private readonly IReadOnlyList<SimulatedMachine> _endpoints;
    private Attempt? _attempt;

    public SimulatedControlConnector(SimulatedControlNetwork network, SimulatedMachine machine, IReadOnlyList<SimulatedMachine> endpoints)
    {
        _network = network;
        _machine = machine;
        _endpoints = endpoints;
        machine.Attach(this);
    }

    public int EndpointCount => _endpoints.Count;

    public void Connect(int endpointIndex, IControlConnectHandler handler)
    {
        if (_attempt is not null)
        {
            throw new InvalidOperationException($"{_machine} connects to {_attempt.Host} already: one attempt at a time, cancel it first.");
        }

        var attempt = new Attempt(_endpoints[endpointIndex], handler);
        _attempt = attempt;
        _network.Scheduler.Schedule(_network.Options.ConnectTimeoutNs, () => Fail(attempt, $"{attempt.Host} did not answer", isRefusal: false));
        if (IsReachable(attempt.Host))
        {
            long latencyNs = _network.World.Paths.Between(_machine, attempt.Host).LatencyNs;
            _network.Scheduler.Schedule(3 * latencyNs, () => Arrive(attempt, latencyNs));
        }
    }

    public void Cancel() => _attempt = null;

    public void OnCrash(bool isSilent) => _attempt = null;

    private void Arrive(Attempt attempt, long latencyNs)
    {
        if (!IsReachable(attempt.Host) || !ReferenceEquals(_attempt, attempt))
        {
            return;
        }

        SimulatedListener? listener = _network.ListenerOf(attempt.Host);
        if (listener is null)
        {
            FailLater(attempt, latencyNs, $"{attempt.Host} refused the connection: nothing listens there", isRefusal: false);
        }
        else if (listener.Refuses?.Invoke(_machine.Peer) == true)
        {
            FailLater(attempt, latencyNs, $"{attempt.Host} refused the credential of {_machine.Peer.Name}", isRefusal: true);
        }
        else
        {
            // A slow host accepts late: its turn comes when its core's does.
            attempt.Host.Post(() => Accept(attempt, listener, latencyNs));
        }
    }

    private void Accept(Attempt attempt, SimulatedListener listener, long latencyNs)
    {
        if (!ReferenceEquals(_attempt, attempt) || !ReferenceEquals(_network.ListenerOf(attempt.Host), listener))
        {
            return;
        }

        (SimulatedControlLink clientEnd, SimulatedControlLink hostEnd) = SimulatedControlLink.Connect(_network, _machine, attempt.Host);
        clientEnd.OnConnectivity();
        hostEnd.OnConnectivity();
        listener.Acceptor.OnLink(hostEnd);
        hostEnd.HandOver();
        _network.Scheduler.Schedule(latencyNs, () =>
        {
            if (!ReferenceEquals(_attempt, attempt) || !_machine.Post(() => Complete(attempt, clientEnd)))
            {
                clientEnd.Close("the attempt was given up");
            }
        });
    }

    private void Complete(Attempt attempt, SimulatedControlLink clientEnd)
    {
        if (!ReferenceEquals(_attempt, attempt))
        {
            clientEnd.Close("the attempt was given up");
            return;
        }

        _attempt = null;
        attempt.Handler.OnConnected(clientEnd, _machine.Peer);
        clientEnd.HandOver();
    }

    private void FailLater(Attempt attempt, long delayNs, string reason, bool isRefusal) =>
        _network.Scheduler.Schedule(delayNs, () => Fail(attempt, reason, isRefusal));

    private void Fail(Attempt attempt, string reason, bool isRefusal)
    {
        if (!ReferenceEquals(_attempt, attempt))
        {
            return;
        }

        _network.World.Faults.Add(FaultKind.ConnectFailed);
        _machine.Post(() =>
        {
            if (ReferenceEquals(_attempt, attempt))
            {
                _attempt = null;
                attempt.Handler.OnConnectFailed(reason, isRefusal);
            }
        });
    }

    private bool IsReachable(SimulatedMachine host) =>
        !host.IsSilent
        && !_network.World.Connectivity.IsBlocked(_machine, host)
        && !_network.World.Connectivity.IsBlocked(host, _machine);

    private sealed record Attempt(SimulatedMachine Host, IControlConnectHandler Handler);
}
