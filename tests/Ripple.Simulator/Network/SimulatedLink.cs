using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>One end of a simulated control connection.</summary>
internal sealed class SimulatedLink : ILink, IMachineResource
{
    private readonly SimulatedLinkNetwork _network;
    private readonly DeliveryRequest _delivery;
    private readonly KeepAliveEvent _keepAlive;
    private readonly WritableEvent _writable;
    private LinkPipe _outgoing = null!;
    private LinkPipe _incoming = null!;
    private SimulatedLink _other = null!;
    private string? _closeReason;
    private bool _isHandedOver;
    private bool _isRefusing;
    private bool _isWritablePending;
    private bool _isHeld;

    private SimulatedLink(SimulatedLinkNetwork network, SimulatedMachine machine, LinkPeer peer)
    {
        _network = network;
        Machine = machine;
        Peer = peer;
        _delivery = new DeliveryRequest(this);
        _keepAlive = new KeepAliveEvent(this);
        _writable = new WritableEvent(this);
    }

    /// <summary>The machine of this end.</summary>
    public SimulatedMachine Machine { get; }

    /// <inheritdoc/>
    public LinkPeer Peer { get; }

    /// <inheritdoc/>
    public ILinkHandler? Handler { get; set; }

    /// <summary>True until this end closes the link or is notified of its end.</summary>
    public bool IsOpen { get; private set; } = true;

    /// <inheritdoc/>
    public int SendRoomBytes => IsOpen ? Math.Max(0, _network.Options.SendBufferBytes - _outgoing.OutstandingBytes) : 0;

    /// <summary>
    /// The number of bytes sent by this end and not yet taken by the other; at most <see cref="LinkNetworkOptions.SendBufferBytes"/>.
    /// </summary>
    public int OutstandingBytes => _outgoing.OutstandingBytes;

    internal SimulatedLink Other => _other;

    /// <inheritdoc/>
    public bool TrySend(ushort type, ReadOnlySpan<byte> body) => TrySend(type, body, forgery: 0);

    /// <summary>Sends a frame, and says whether it is a forgery, and of which kind; 0 for a genuine one.</summary>
    internal bool TrySend(ushort type, ReadOnlySpan<byte> body, int forgery)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(type, LinkFrame.FirstProtocolType);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(body.Length, LinkFrame.BodyBytesMax, nameof(body));
        if (!IsOpen)
        {
            return false;
        }

        if (body.Length + LinkFrame.HeaderBytes > SendRoomBytes)
        {
            _isRefusing = true;
            return false;
        }

        _outgoing.Send(type, body, forgery);
        return true;
    }

    /// <inheritdoc/>
    public void Hold() => _isHeld = true;

    /// <inheritdoc/>
    public void GoOn()
    {
        _isHeld = false;
        Signal();
    }

    /// <inheritdoc/>
    public void Close(string reason)
    {
        if (!IsOpen)
        {
            return;
        }

        _outgoing.SendEnd(reason);
        End();
        _incoming.Clear();
    }

    void IMachineResource.OnCrash(bool isSilent)
    {
        _network.World.Faults.Add(FaultKind.LinkBroken);
        IsOpen = false;
        _network.Scheduler.Cancel(_keepAlive);
        _network.Scheduler.Cancel(_writable);
        _incoming.Clear();
        _outgoing.LoseSuffix(isAll: false);
        if (isSilent)
        {
            _other.BreakLater(_network.Options.KeepAliveNs);
        }
        else
        {
            _outgoing.SendEnd($"{Machine} reset the connection");
        }
    }

    internal static (SimulatedLink Client, SimulatedLink Host) Connect(
        SimulatedLinkNetwork network, SimulatedMachine client, SimulatedMachine host)
    {
        var clientEnd = new SimulatedLink(network, client, host.Peer);
        var hostEnd = new SimulatedLink(network, host, client.Peer);
        clientEnd._other = hostEnd;
        hostEnd._other = clientEnd;
        clientEnd._outgoing = hostEnd._incoming = new LinkPipe(network, clientEnd, hostEnd);
        hostEnd._outgoing = clientEnd._incoming = new LinkPipe(network, hostEnd, clientEnd);
        client.Attach(clientEnd);
        host.Attach(hostEnd);
        network.Add(clientEnd);
        network.Add(hostEnd);
        clientEnd.OnConnectivity();
        hostEnd.OnConnectivity();
        return (clientEnd, hostEnd);
    }

    /// <summary>
    /// Called after the owner had its chance to set a handler: frames are delivered from now on, or the link is closed if there is no
    /// handler.
    /// </summary>
    internal void HandOver()
    {
        _isHandedOver = true;
        if (Handler is null)
        {
            Close("nobody took the connection");
        }

        Signal();
    }

    /// <summary>
    /// Called when partitions change. A connection blocked in either direction passes nothing in both, because sent frames must be
    /// acknowledged.
    /// </summary>
    internal void OnConnectivity()
    {
        bool isBlocked = _network.World.Connectivity.IsBlocked(Machine, _other.Machine)
            || _network.World.Connectivity.IsBlocked(_other.Machine, Machine);
        _outgoing.SetStalled(isBlocked);
        _incoming.SetStalled(isBlocked);
        if (!isBlocked)
        {
            // If the other end vanished silently, the keep-alive stays scheduled.
            if (_other.IsOpen)
            {
                _network.Scheduler.Cancel(_keepAlive);
            }
        }
        else
        {
            BreakLater(_network.Options.KeepAliveNs);
        }
    }

    /// <summary>Makes the core take the frames, or the end, that have arrived.</summary>
    internal void Signal()
    {
        if (IsOpen && _isHandedOver && !_delivery.IsPosted)
        {
            _delivery.IsPosted = Machine.Post(_delivery);
        }
    }

    private void BreakLater(long keepAliveNs)
    {
        if (IsOpen && _closeReason is null && !_keepAlive.IsScheduled)
        {
            _network.World.Script.Place(_network.Random, "keep-alive", Machine, _other.Machine);
            _network.Scheduler.ScheduleAt(_network.Scheduler.NowNs + keepAliveNs + _network.Random.NextInt64(keepAliveNs / 4), _keepAlive);
        }
    }

    private void OnKeepAliveExpired()
    {
        _network.World.Faults.Add(FaultKind.LinkBroken);
        _incoming.LoseSuffix(isAll: true);
        _outgoing.LoseSuffix(isAll: true);
        _closeReason = $"{_other.Machine} did not answer for {_network.Options.KeepAliveNs / 1_000_000} ms";
        Signal();
    }

    private void Deliver()
    {
        _delivery.IsPosted = false;
        for (int taken = 0;
            IsOpen && !_isHeld && taken < _network.Options.FramesPerTurn && _incoming.TryTake(out FrameUnderWay frame);
            taken++)
        {
            if (frame.IsEnd)
            {
                _closeReason ??= frame.EndReason;
                break;
            }

            ReadOnlySpan<byte> body = frame.Body.AsSpan(0, frame.Length);
            _network.Tap?.Invoke(Machine, frame.Type, body);
            IDeliveryObserver? observer = _network.World.Observer;
            observer?.BeforeFrame(this, frame.Type, body, frame.Forgery);
            Handler?.OnFrame(frame.Type, body);
            observer?.AfterFrame(this, frame.Type, frame.Forgery);
            _incoming.Free(frame);
            _other.OnRoom();
        }

        if (IsOpen && _isWritablePending)
        {
            _isWritablePending = false;
            Handler?.OnWritable();
        }

        if (!IsOpen || _isHeld)
        {
            return;
        }

        if (_incoming.HasArrived)
        {
            Signal();
        }
        else if (_closeReason is not null)
        {
            End();
            _incoming.Clear();
            Handler?.OnClosed(_closeReason);
        }
    }

    /// <summary>Called when the other end takes a frame: once half the buffer is free, the sender is notified one latency later.</summary>
    private void OnRoom()
    {
        if (_isRefusing && IsOpen && _outgoing.OutstandingBytes <= _network.Options.SendBufferBytes / 2)
        {
            _isRefusing = false;
            _network.Scheduler.ScheduleAt(
                _network.Scheduler.NowNs + _network.World.Paths.Between(_other.Machine, Machine).LatencyNs, _writable);
        }
    }

    private void End()
    {
        IsOpen = false;
        _network.Scheduler.Cancel(_keepAlive);
        _network.Scheduler.Cancel(_writable);
        Machine.Detach(this);
    }

    private sealed class DeliveryRequest(SimulatedLink link) : Request
    {
        public bool IsPosted { get; set; }

        protected internal override void Execute() => link.Deliver();
    }

    private sealed class KeepAliveEvent(SimulatedLink link) : SimulationEvent
    {
        protected internal override void Run() => link.OnKeepAliveExpired();
    }

    private sealed class WritableEvent(SimulatedLink link) : SimulationEvent
    {
        protected internal override void Run()
        {
            link._isWritablePending = true;
            link.Signal();
        }
    }
}
