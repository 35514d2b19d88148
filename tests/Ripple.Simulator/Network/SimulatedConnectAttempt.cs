using Ripple.Engine.Links;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>One attempt to connect.</summary>
internal sealed class SimulatedConnectAttempt(
    SimulatedLinkNetwork network,
    SimulatedMachine client,
    SimulatedMachine? host,
    string endpoint,
    ILinkConnectResult result) : ILinkConnectAttempt
{
    private readonly int _clientStart = client.StartCount;
    private long _latencyNs;
    private bool _isOver;

    private bool IsWanted => !_isOver && client.IsRunning && client.StartCount == _clientStart;

    public void Start()
    {
        network.Scheduler.Schedule(
            network.Options.ConnectTimeoutNs, () => Fail(LinkConnectFailure.Unreachable, $"{endpoint} did not answer"));
        if (host is not null && IsReachable(host))
        {
            _latencyNs = network.World.Paths.Between(client, host).LatencyNs;
            network.Scheduler.Schedule(3 * _latencyNs, () => Arrive(host));
        }
    }

    public void Cancel() => _isOver = true;

    private void Arrive(SimulatedMachine target)
    {
        if (!IsReachable(target) || !IsWanted)
        {
            return;
        }

        SimulatedListener? listener = network.ListenerOf(target);
        if (listener is null)
        {
            FailLater(LinkConnectFailure.Unreachable, $"{endpoint} refused the connection: nothing listens there");
        }
        else if (listener.Admission?.Invoke(client.Peer) is { } failure)
        {
            FailLater(failure, $"{endpoint} does not admit {client.Peer.Name}");
        }
        else
        {
            // A slow host accepts late, when its core takes its turn.
            target.Post(() => Accept(target, listener));
        }
    }

    private void Accept(SimulatedMachine target, SimulatedListener listener)
    {
        if (!IsWanted || !ReferenceEquals(network.ListenerOf(target), listener))
        {
            return;
        }

        (SimulatedLink clientEnd, SimulatedLink hostEnd) = SimulatedLink.Connect(network, client, target);
        listener.Acceptor.OnLink(hostEnd);
        hostEnd.HandOver();
        network.Scheduler.Schedule(_latencyNs, () =>
        {
            if (!IsWanted || !client.Post(() => Complete(clientEnd)))
            {
                clientEnd.Close("the attempt was given up");
            }
        });
    }

    private void Complete(SimulatedLink clientEnd)
    {
        if (_isOver)
        {
            clientEnd.Close("the attempt was given up");
            return;
        }

        _isOver = true;
        result.OnConnected(clientEnd);
        clientEnd.HandOver();
    }

    private void FailLater(LinkConnectFailure failure, string text) => network.Scheduler.Schedule(_latencyNs, () => Fail(failure, text));

    private void Fail(LinkConnectFailure failure, string text)
    {
        if (!IsWanted)
        {
            return;
        }

        network.World.Faults.Add(FaultKind.ConnectFailed);
        client.Post(() =>
        {
            if (!_isOver)
            {
                _isOver = true;
                result.OnConnectFailed(failure, text, leader: null);
            }
        });
    }

    private bool IsReachable(SimulatedMachine target) =>
        !target.IsSilent && !network.World.Connectivity.IsBlocked(client, target) && !network.World.Connectivity.IsBlocked(target, client);
}
