using System.Buffers.Binary;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Core;

/// <summary>
/// Received packets, classified only by their clear header, in one bounded queue per priority class (QSM 3.1, Fig. 12). A train received in
/// one call is split by its packets' length fields. Belongs to the core thread; allocates nothing.
/// </summary>
internal sealed class IoQueue
{
    private readonly PacketRing[] _rings = new PacketRing[PacketLayout.ClassCount];
    private readonly ReceiveSlabs[] _slabs;
    private readonly bool _isChecked;
    private PacketRun _current;
    private bool _isCurrentForgotten;

    internal IoQueue(CoreOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.IoPerClassMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.ControlSlabBytes, PortLimits.DatagramBytesMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.DataSlabBytes, PortLimits.DatagramBytesMax, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.SlabsPerLane, nameof(options));
        _isChecked = options.IsChecked;
        for (int i = 0; i < _rings.Length; i++)
        {
            _rings[i] = new PacketRing(options.IoPerClassMax);
        }

        _slabs =
        [
            new ReceiveSlabs(options.ControlSlabBytes, options.SlabsPerLane),
            new ReceiveSlabs(options.DataSlabBytes, options.SlabsPerLane),
        ];
    }

    internal static void AddMemory(MemoryBudget budget, CoreOptions options)
    {
        long runs = (long)PacketLayout.ClassCount * options.IoPerClassMax;
        int controlBytes = options.ControlSlabBytes + MemoryBudget.ArrayBytes;
        int dataBytes = options.DataSlabBytes + MemoryBudget.ArrayBytes;
        budget.Add<PacketRun>(MemoryScope.Process, MemoryKind.Fixed, "core: runs of packets that wait", runs);
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "core: receive buffers of control sockets", options.SlabsPerLane, controlBytes);
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "core: receive buffers of data sockets", options.SlabsPerLane, dataBytes);
    }

    /// <summary>How many packets wait.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Packets dropped because one datagram contained more runs of different classes than there was room for; no honest sender makes such a
    /// datagram.
    /// </summary>
    public long Dropped { get; private set; }

    /// <summary>How many packets wait in one class.</summary>
    public int CountOf(PacketClass packetClass) => _rings[(int)packetClass].Packets;

    /// <summary>How many packets of a lane wait.</summary>
    public int CountOf(PortLane lane) =>
        lane == PortLane.Control
            ? CountOf(PacketClass.Control) + CountOf(PacketClass.Nak)
            : CountOf(PacketClass.Repair) + CountOf(PacketClass.Data);

    /// <summary>
    /// Reserves room to receive one datagram (or one train) of a lane. False when there is none: leave the packets in the kernel.
    /// </summary>
    /// <param name="lane">The socket's lane.</param>
    /// <param name="bytesMax">The most bytes that may arrive.</param>
    /// <param name="room">A span of that many bytes; the caller's until <see cref="Commit"/> or the next call of this method.</param>
    /// <exception cref="ArgumentOutOfRangeException">The lane's buffers are smaller than that.</exception>
    public bool TryReserve(PortLane lane, int bytesMax, out Span<byte> room)
    {
        int first = (int)(lane == PortLane.Control ? PacketClass.Control : PacketClass.Repair);
        ReceiveSlabs slabs = _slabs[(int)lane];
        if (_rings[first].IsFull || _rings[first + 1].IsFull || !slabs.TryMakeRoom(bytesMax))
        {
            room = default;
            return false;
        }

        room = slabs.Current.Bytes.AsSpan(slabs.Current.Used, bytesMax);
        return true;
    }

    /// <summary>
    /// Queues the bytes received into the span from <see cref="TryReserve"/>; returns the number of packets. A packet's class is read from
    /// its second byte and limited to the classes of the lane. Bytes without a valid packet length count as one packet, which its handler
    /// refuses.
    /// </summary>
    public int Commit(PortLane lane, int length, IDatagramHandler handler)
    {
        ReceiveSlab slab = _slabs[(int)lane].Current;
        int offset = slab.Used;
        int end = offset + length;
        slab.Used = end;
        int packets = 0;
        int ring = -1;
        var run = default(PacketRun);
        while (offset < end)
        {
            ReadOnlySpan<byte> rest = slab.Bytes.AsSpan(offset, end - offset);
            int bytes = PacketBytes(rest);
            int own = RingOf(lane, rest);
            if (own != ring)
            {
                Push(ring, run);
                ring = own;
                run = new PacketRun { Handler = handler, Slab = slab, Lane = lane, Offset = offset };
            }

            run.Bytes += bytes;
            run.Packets++;
            packets++;
            offset += bytes;
        }

        Push(ring, run);
        if (slab.Waiting == 0)
        {
            slab.Used = 0;
        }

        return packets;
    }

    /// <summary>Handles waiting packets in priority order; returns how many.</summary>
    /// <param name="max">The most packets.</param>
    /// <param name="controlMax">
    /// The most packets of the control lane that go before those of the data lane; the rest of them go behind those, if there is room.
    /// </param>
    internal int Process(int max, int controlMax)
    {
        int done = Process(PortLane.Control, Math.Min(max, controlMax));
        done += Process(PortLane.Data, max - done);
        return done + Process(PortLane.Control, max - done);
    }

    /// <summary>Drops the packets that wait for a handler that is being removed.</summary>
    internal void Forget(IDatagramHandler handler)
    {
        _isCurrentForgotten |= ReferenceEquals(_current.Handler, handler);
        foreach (PacketRing ring in _rings)
        {
            for (int i = ring.Count; i > 0; i--)
            {
                PacketRun run = ring.Pop();
                if (ReferenceEquals(run.Handler, handler))
                {
                    Count -= run.Packets;
                    _slabs[(int)run.Lane].Release(run.Slab);
                }
                else
                {
                    ring.Push(run);
                }
            }
        }
    }

    private int Process(PortLane lane, int max)
    {
        PacketRing urgent = _rings[lane == PortLane.Control ? (int)PacketClass.Control : (int)PacketClass.Repair];
        PacketRing other = _rings[lane == PortLane.Control ? (int)PacketClass.Nak : (int)PacketClass.Data];
        int done = 0;
        while (done < max && CountOf(lane) > 0)
        {
            PacketRing ring = urgent.Count > 0 ? urgent : other;
            _current = ring.Pop();
            _isCurrentForgotten = false;
            try
            {
                // Nothing more urgent can arrive meanwhile: sources are not read while packets are handled.
                while (done < max && _current.Packets > 0 && !_isCurrentForgotten)
                {
                    done++;
                    HandleNext();
                }
            }
            finally
            {
                if (_current.Packets > 0 && !_isCurrentForgotten)
                {
                    ring.PushFront(_current);
                }
                else
                {
                    Count -= _current.Packets;
                    _slabs[(int)_current.Lane].Release(_current.Slab);
                }

                _current = default;
            }
        }

        return done;
    }

    private static int RingOf(PortLane lane, ReadOnlySpan<byte> packet)
    {
        // A class of the other lane is not trusted: it would take the room reserved for that lane.
        int packetClass = packet.Length > PacketLayout.ClassOffset
            ? packet[PacketLayout.ClassOffset] & PacketLayout.ClassMask
            : (int)PacketClass.Data;
        return lane == PortLane.Control ? Math.Min(packetClass, (int)PacketClass.Nak) : Math.Max(packetClass, (int)PacketClass.Repair);
    }

    private static int PacketBytes(ReadOnlySpan<byte> rest)
    {
        int length = rest.Length >= PacketLayout.LengthOffset + PacketLayout.LengthBytes
            ? BinaryPrimitives.ReadUInt16LittleEndian(rest[PacketLayout.LengthOffset..])
            : 0;
        return length >= PortLimits.PacketBytesMin && length <= rest.Length ? length : rest.Length;
    }

    private void Push(int ring, in PacketRun run)
    {
        if (run.Packets == 0)
        {
            return;
        }

        if (_rings[ring].IsFull)
        {
            Dropped += run.Packets;
            return;
        }

        run.Slab.Waiting++;
        Count += run.Packets;
        _rings[ring].Push(run);
    }

    private void HandleNext()
    {
        Span<byte> rest = _current.Slab.Bytes.AsSpan(_current.Offset, _current.Bytes);
        Span<byte> packet = _current.Packets == 1 ? rest : rest[..PacketBytes(rest)];
        _current.Offset += packet.Length;
        _current.Bytes -= packet.Length;
        _current.Packets--;
        Count--;
        _current.Handler.OnDatagram(packet);
        if (_isChecked)
        {
            packet.Fill(0xDB);
        }
    }
}

/// <summary>The waiting runs of one class, in arrival order.</summary>
internal sealed class PacketRing(int capacity)
{
    private readonly PacketRun[] _runs = new PacketRun[capacity];
    private int _head;

    public int Count { get; private set; }

    /// <summary>The number of packets in these runs.</summary>
    public int Packets { get; private set; }

    public bool IsFull => Count == _runs.Length;

    public void Push(in PacketRun run)
    {
        _runs[(_head + Count) % _runs.Length] = run;
        Count++;
        Packets += run.Packets;
    }

    /// <summary>Puts back the run popped last, without the packets already handled.</summary>
    public void PushFront(in PacketRun run)
    {
        _head = (_head + _runs.Length - 1) % _runs.Length;
        _runs[_head] = run;
        Count++;
        Packets += run.Packets;
    }

    public PacketRun Pop()
    {
        PacketRun run = _runs[_head];
        _runs[_head] = default;
        _head = (_head + 1) % _runs.Length;
        Count--;
        Packets -= run.Packets;
        return run;
    }
}

/// <summary>Consecutive waiting packets of one class that arrived through one port.</summary>
internal struct PacketRun
{
    public IDatagramHandler Handler;
    public ReceiveSlab Slab;
    public PortLane Lane;
    public int Offset;
    public int Bytes;
    public int Packets;
}

/// <summary>A source of packets: the sockets of a runner, or the simulated network. Polled by the loop at the start of each turn.</summary>
internal interface IIoSource
{
    /// <summary>
    /// Moves arrived packets into the queue, control first, about <paramref name="packetsMax"/> per lane, and stops when the queue is full.
    /// Returns the work done; never 0 while packets are left that will not be announced again. Packets left stay where they are: in the
    /// kernel's buffer, which is bounded.
    /// </summary>
    int Drain(IoQueue queue, int packetsMax);

    /// <summary>True while packets of a lane that the last <see cref="Drain"/> left outside the core are known to wait there.</summary>
    bool HasWaiting(PortLane lane);
}
