using System.Buffers;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>
/// One direction of a control connection: frames in transit, and frames that have arrived but were not taken. Always in order; only a
/// suffix can be lost. All bytes count against the sender's buffer until the receiver takes them.
/// </summary>
internal sealed class LinkPipe : SimulationEvent
{
    private readonly SimulatedLinkNetwork _network;
    private readonly SimulatedLink _from;
    private readonly SimulatedLink _to;
    private readonly Queue<FrameUnderWay> _underWay = new();
    private readonly Queue<FrameUnderWay> _arrived = new();
    private long _lineFreeNs;
    private long _lastArrivalNs;
    private bool _isStalled;

    public LinkPipe(SimulatedLinkNetwork network, SimulatedLink from, SimulatedLink to)
    {
        _network = network;
        _from = from;
        _to = to;
    }

    /// <summary>The number of bytes that count against the send buffer.</summary>
    public int OutstandingBytes { get; private set; }

    public bool HasArrived => _arrived.Count > 0;

    public int UnderWayCount => _underWay.Count;

    public void Send(ushort type, ReadOnlySpan<byte> body, int forgery = 0)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(Math.Max(1, body.Length));
        body.CopyTo(copy);
        OutstandingBytes += SizeOf(body.Length);
        Enqueue(new FrameUnderWay(0, type, copy, body.Length, Forgery: forgery));
    }

    /// <summary>Ends the connection after the frames sent so far.</summary>
    public void SendEnd(string reason) => Enqueue(new FrameUnderWay(0, 0, null, 0, reason));

    /// <summary>While stalled nothing arrives; afterward all frames in transit are retransmitted.</summary>
    public void SetStalled(bool isStalled)
    {
        if (_isStalled == isStalled)
        {
            return;
        }

        _isStalled = isStalled;
        if (isStalled)
        {
            _network.Scheduler.Cancel(this);
            return;
        }

        Place("stall");
        _lastArrivalNs = _network.Scheduler.NowNs + _network.Random.NextInt64(_network.Options.RetransmitNs);
        int count = _underWay.Count;
        for (int i = 0; i < count; i++)
        {
            _underWay.Enqueue(_underWay.Dequeue() with { ArrivalNs = ArrivalOf() });
        }

        ScheduleHead();
    }

    /// <summary>Loses the frames in transit from a random one to the last, or all of them with <paramref name="isAll"/>.</summary>
    public void LoseSuffix(bool isAll)
    {
        Place("loss");
        int kept = isAll ? 0 : _network.Random.NextInt32(_underWay.Count + 1);
        int count = _underWay.Count;
        for (int i = 0; i < count; i++)
        {
            FrameUnderWay frame = _underWay.Dequeue();
            if (i < kept)
            {
                _underWay.Enqueue(frame);
            }
            else
            {
                _network.World.Faults.Add(FaultKind.FrameLost, frame.IsEnd ? 0 : 1);
                Free(frame);
            }
        }

        _network.Scheduler.Cancel(this);
        if (!_isStalled)
        {
            ScheduleHead();
        }
    }

    /// <summary>Drops all frames: the receiver is gone.</summary>
    public void Clear()
    {
        _network.Scheduler.Cancel(this);
        while (_underWay.TryDequeue(out FrameUnderWay frame) || _arrived.TryDequeue(out frame))
        {
            Free(frame);
        }
    }

    /// <summary>Takes the next arrived frame; return it with <see cref="Free"/> after handling it.</summary>
    public bool TryTake(out FrameUnderWay frame)
    {
        if (!_arrived.TryDequeue(out frame))
        {
            return false;
        }

        if (!frame.IsEnd)
        {
            _network.CountDelivery(frame);
        }

        return true;
    }

    public void Free(in FrameUnderWay frame)
    {
        if (frame.Body is not null)
        {
            OutstandingBytes -= SizeOf(frame.Length);
            ArrayPool<byte>.Shared.Return(frame.Body);
        }
    }

    protected internal override void Run()
    {
        while (_underWay.TryPeek(out FrameUnderWay frame) && frame.ArrivalNs <= _network.Scheduler.NowNs)
        {
            _arrived.Enqueue(_underWay.Dequeue());
        }

        ScheduleHead();
        _to.Signal();
    }

    private void Place(string what) => _network.World.Script.Place(_network.Random, what, _from.Machine, _to.Machine);

    private static int SizeOf(int bodyLength) => bodyLength + LinkFrame.HeaderBytes;

    private void Enqueue(FrameUnderWay frame)
    {
        _lineFreeNs = Math.Max(_lineFreeNs, _network.Scheduler.NowNs)
            + (SizeOf(frame.Length) * 8_000_000_000L / _network.Options.BitsPerSecond);
        long arrivalNs = ArrivalOf();
        _underWay.Enqueue(frame with { ArrivalNs = arrivalNs });
        _network.World.Trace?.AddMessage(
            _from.Machine, _to.Machine, _network.Scheduler.NowNs, _isStalled ? -1 : arrivalNs, frame.Type, frame.Length);
        if (!_isStalled && _underWay.Count == 1)
        {
            ScheduleHead();
        }
    }

    private long ArrivalOf()
    {
        PathProfile path = _network.World.Paths.Between(_from.Machine, _to.Machine);
        DeterministicRandom random = _network.Random;
        Place("frame");
        long delayNs = path.LatencyNs + random.NextInt64(path.JitterNs);
        if (path.Loss > 0 && random.NextDouble() < path.Loss)
        {
            _network.World.Faults.Add(FaultKind.FrameDelayed);
            delayNs += _network.Options.RetransmitNs;
        }

        _lastArrivalNs = Math.Max(_lastArrivalNs, Math.Max(_lineFreeNs, _network.Scheduler.NowNs) + delayNs);
        return _lastArrivalNs;
    }

    private void ScheduleHead()
    {
        if (_underWay.TryPeek(out FrameUnderWay head))
        {
            _network.Scheduler.ScheduleAt(head.ArrivalNs, this);
        }
    }
}
