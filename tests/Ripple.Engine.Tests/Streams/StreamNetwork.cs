using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;
using Ripple.Simulator.Stack;

namespace Ripple.Engine.Tests.Streams;

/// <summary>A stepped core with ports joined by memory: first in, first out, with one latency, in slots made at start.</summary>
internal sealed class StreamNetwork : IIoSource
{
    public const long LatencyNs = 50_000;
    private const int SlotsMax = 32_768;
    private readonly Slot[] _slots = new Slot[SlotsMax];
    private readonly Dictionary<NodeAddress, Port> _ports = [];
    private readonly Alarm _wake = new(() => { });
    private readonly ulong _seed;
    private int _head;
    private int _count;
    private uint _lastHost;

    public StreamNetwork(ulong seed = 1)
    {
        _seed = seed;
        Core = new CoreLoop(new CoreOptions { IoQuantum = 256, IsChecked = true }, seed);
        Core.Add(this);
    }

    public delegate bool DropRule(in NodeAddress to, ReadOnlySpan<byte> datagram);

    public CoreLoop Core { get; }

    public DropRule? Drop { get; set; }

    public FaultPolicy Faults { get; init; } = FaultPolicy.None;

    public List<FaultSink> FaultSinks { get; } = [];

    public long Datagrams { get; private set; }

    public Port Open(IDatagramHandler handler)
    {
        var port = new Port(this, NodeAddress.FromIPv4(0x0A000001 + _lastHost++, 7000)) { Handler = handler };
        _ports.Add(port.LocalAddress, port);
        return port;
    }

    /// <summary>A root sink of the port, below a fault sink when the network has faults.</summary>
    public IDatagramSink SinkOf(Port port)
    {
        var root = new PortSink(Core, port);
        if (Faults == FaultPolicy.None)
        {
            return root;
        }

        var sink = new FaultSink(Core, root, new DeterministicRandom(_seed * 31 + port.LocalAddress.Low), Faults);
        FaultSinks.Add(sink);
        return sink;
    }

    /// <summary>Runs for a time, from one thing to do to the next.</summary>
    public void Run(long durationNs)
    {
        long endNs = Core.NowNs + durationNs;
        while (true)
        {
            long nextNs = Core.NextDueNs;
            if (nextNs > endNs)
            {
                Core.DoWork(endNs);
                return;
            }

            Core.DoWork(nextNs);
        }
    }

    public bool HasWaiting(PortLane lane) => lane == PortLane.Data && _count > 0 && _slots[_head].DueNs <= Core.NowNs;

    public bool RunUntil(Func<bool> isDone, long limitNs)
    {
        long endNs = Core.NowNs + limitNs;
        while (!isDone() && Core.NowNs < endNs)
        {
            Run(1_000_000);
        }

        return isDone();
    }

    public int Drain(IoQueue queue, int packetsMax)
    {
        int done = 0;
        while (done < packetsMax && _count > 0 && _slots[_head].DueNs <= Core.NowNs && queue.TryReserve(
            LaneOf(_slots[_head]), _slots[_head].Length, out Span<byte> room))
        {
            ref Slot slot = ref _slots[_head];
            _head = (_head + 1) % SlotsMax;
            _count--;
            slot.Bytes.AsSpan(0, slot.Length).CopyTo(room);
            queue.Commit(LaneOf(slot), slot.Length, slot.To!.Handler!);
            done++;
        }

        if (_count > 0)
        {
            Core.Alarms.ScheduleNoLater(_wake, _slots[_head].DueNs);
        }

        return done;
    }

    private static PortLane LaneOf(in Slot slot) => slot.Bytes![1] <= (byte)PacketClass.Nak ? PortLane.Control : PortLane.Data;

    private SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        Datagrams++;
        if (datagram.Length is < IPacketSealer.FramesOffset + CopySealer.TagBytes or > WireLimits.DatagramBytesMax)
        {
            throw new InvalidOperationException($"A datagram of {datagram.Length} bytes.");
        }

        if (_count == SlotsMax || !_ports.TryGetValue(to, out Port? port) || (Drop is { } drop && drop(to, datagram)))
        {
            return SendStatus.Sent;
        }

        ref Slot slot = ref _slots[(_head + _count) % SlotsMax];
        slot.Bytes ??= new byte[WireLimits.DatagramBytesMax];
        datagram.CopyTo(slot.Bytes);
        slot.Length = datagram.Length;
        slot.To = port;
        slot.DueNs = Core.NowNs + LatencyNs;
        _count++;
        Core.Alarms.ScheduleNoLater(_wake, slot.DueNs);
        return SendStatus.Sent;
    }

    internal sealed class Port(StreamNetwork network, NodeAddress address) : IDatagramPort
    {
        public NodeAddress LocalAddress { get; } = address;

        public IDatagramHandler? Handler { get; set; }

        public Action? OnWritable { get; set; }

        public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram) => network.Send(to, datagram);

        public void Dispose()
        {
        }
    }

    private struct Slot
    {
        public byte[]? Bytes;
        public int Length;
        public Port? To;
        public long DueNs;
    }
}
