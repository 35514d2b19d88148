using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>
/// A datagram socket of the simulated network, with the kernel's two buffers. Sends leave at line rate and are refused beyond a bound.
/// Arrivals are queued FIFO, regardless of class, in a buffer bounded in bytes, and dropped beyond it.
/// </summary>
internal sealed class SimulatedPort : IDatagramPort, IMachineResource
{
    private readonly SimulatedNetwork _network;
    private readonly Queue<Datagram> _received = new();
    private readonly WritableEvent _writable;
    private readonly PortSource _source;
    private readonly CoreLoop _core;
    private long[] _lastArrivalNs = [];
    private long _lineFreeNs;
    private ObservedHandlers? _observed;
    private bool _isClosed;

    internal SimulatedPort(SimulatedNetwork network, SimulatedMachine machine, NodeAddress address, int receiveBufferBytes)
    {
        _network = network;
        Machine = machine;
        LocalAddress = address;
        ReceiveBufferBytes = receiveBufferBytes;
        _writable = new WritableEvent(this);
        _source = machine.Ports;
        _core = machine.Core;
        _source.Add(this);
        machine.Attach(this);
    }

    /// <summary>The machine the port is on.</summary>
    public SimulatedMachine Machine { get; }

    /// <inheritdoc/>
    public NodeAddress LocalAddress { get; }

    /// <inheritdoc/>
    public IDatagramHandler? Handler { get; set; }

    /// <inheritdoc/>
    public Action? OnWritable { get; set; }

    /// <summary>The bound of the receive buffer, in bytes.</summary>
    public int ReceiveBufferBytes { get; }

    /// <summary>The bytes used in the receive buffer, including the overhead of each datagram.</summary>
    public int ReceivedBytes { get; private set; }

    /// <summary>The number of datagrams in the receive buffer.</summary>
    public int ReceivedCount => _received.Count;

    /// <summary>The number of datagrams dropped because the receive buffer was full.</summary>
    public long OverflowCount { get; private set; }

    /// <summary>The number of bytes waiting to leave.</summary>
    public long SendBacklogBytes => Math.Max(0, _lineFreeNs - _network.NowNs) * _network.Options.LineBitsPerSecond / 8_000_000_000;

    /// <inheritdoc/>
    public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        if (_isClosed || datagram.Length > WireLimits.DatagramBytesMax)
        {
            return SendStatus.Failed;
        }

        if (_writable.IsScheduled || SendBacklogBytes + datagram.Length > _network.Options.SendBufferBytes)
        {
            _network.Faults.Add(FaultKind.SendBlocked);
            if (!_writable.IsScheduled)
            {
                // Writable again once half the backlog has left, like a kernel, so that a sender is not woken for a single datagram.
                _network.Scheduler.ScheduleAt((_network.NowNs + _lineFreeNs) / 2, _writable);
            }

            return SendStatus.WouldBlock;
        }

        _lineFreeNs = Math.Max(_lineFreeNs, _network.NowNs) + (datagram.Length * 8_000_000_000L / _network.Options.LineBitsPerSecond);
        _network.Nonces?.OnSent(Machine, datagram);
        _network.Send(this, to, datagram, _lineFreeNs);
        return SendStatus.Sent;
    }

    /// <summary>Closes the port and drops its queued datagrams. Core thread.</summary>
    public void Dispose()
    {
        if (_isClosed)
        {
            return;
        }

        Machine.Detach(this);
        Close();
        if (Handler is not null)
        {
            _core.Forget(Handler);
            _observed?.Forget(_core);
        }
    }

    void IMachineResource.OnCrash(bool isSilent) => Close();

    internal int Drain(IoQueue queue, int datagramsMax)
    {
        int moved = 0;
        while (moved < datagramsMax && _received.Count > 0)
        {
            // Simulated sockets have no lane of their own: it is derived from the packet.
            ReadOnlySpan<byte> first = _received.Peek().Span;
            PortLane lane = first.Length > 1 && (first[1] & 3) <= (int)PacketClass.Nak ? PortLane.Control : PortLane.Data;
            Span<byte> room = default;
            if (Handler is not null && !queue.TryReserve(lane, first.Length, out room))
            {
                break;
            }

            Datagram datagram = _received.Dequeue();
            ReceivedBytes -= datagram.Length + _network.Options.ReceiveOverheadBytes;
            _source.WaitingCount--;
            _source.RepeatedMax += datagram.RepeatedMax;
            moved++;
            if (Handler is not null)
            {
                datagram.Span.CopyTo(room);
                queue.Commit(lane, datagram.Length, HandlerOf(datagram));
            }

            _network.Free(datagram);
        }

        return moved;
    }

    private IDatagramHandler HandlerOf(Datagram datagram) =>
        _network.Observer is { } observer ? (_observed ??= new ObservedHandlers(this, observer)).Of(datagram.Forgery) : Handler!;

    /// <summary>The arrival time adjusted so that the datagrams of one machine keep their order.</summary>
    internal long InOrder(int fromMachineIndex, long arrivalNs)
    {
        if (fromMachineIndex >= _lastArrivalNs.Length)
        {
            Array.Resize(ref _lastArrivalNs, fromMachineIndex + 8);
        }

        ref long lastNs = ref _lastArrivalNs[fromMachineIndex];
        lastNs = Math.Max(lastNs, arrivalNs);
        return lastNs;
    }

    /// <summary>Queues an arrived datagram; returns false if there is no room.</summary>
    internal bool TryReceive(Datagram datagram)
    {
        int bytes = datagram.Length + _network.Options.ReceiveOverheadBytes;
        if (ReceivedBytes + bytes > ReceiveBufferBytes)
        {
            OverflowCount++;
            return false;
        }

        ReceivedBytes += bytes;
        _received.Enqueue(datagram);
        _source.WaitingCount++;
        Machine.Wake();
        return true;
    }

    private void Close()
    {
        _isClosed = true;
        OnWritable = null;
        _network.Scheduler.Cancel(_writable);
        _network.Close(this);
        _source.WaitingCount -= _received.Count;
        _source.Remove(this);
        while (_received.TryDequeue(out Datagram? datagram))
        {
            _network.Free(datagram);
        }

        ReceivedBytes = 0;
    }

    private sealed class WritableEvent(SimulatedPort port) : SimulationEvent
    {
        protected internal override void Run() => port.Machine.Post(() =>
        {
            if (!port._isClosed)
            {
                port.OnWritable?.Invoke();
            }
        });
    }
}
