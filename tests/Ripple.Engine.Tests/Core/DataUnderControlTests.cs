using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

/// <summary>A flood of control packets that a core cannot keep up with, and data beside it: a turn a millisecond.</summary>
public sealed class DataUnderControlTests
{
    private const long TurnNs = 1_000_000;
    private const int Quantum = 64;
    private readonly CoreLoop _core = new(new CoreOptions { IoQuantum = Quantum, IsChecked = true }, seed: 1);
    private readonly Flood _flood = new();
    private long _nowNs;

    public DataUnderControlTests() => _core.Add(_flood);

    [Fact]
    public void Data_that_waited_for_twenty_milliseconds_gets_half_of_each_turn()
    {
        _flood.DataATurn = Quantum;
        for (int i = 0; i < LateTurns; i++)
        {
            Assert.Equal((Quantum, 0), Turn());
        }

        Assert.Equal((Quantum / 2, Quantum / 2), Turn());
        Assert.Equal((Quantum / 2, Quantum / 2), Turn());
    }

    [Fact]
    public void What_data_leaves_of_its_half_is_for_control_and_when_none_waits_control_goes_first_again()
    {
        _flood.DataATurn = 1;
        for (int i = 0; i < LateTurns; i++)
        {
            Assert.Equal((Quantum, 0), Turn());
        }

        // What came meanwhile is handled at once: it is less than half of a turn.
        Assert.Equal((Quantum - LateTurns - 1, LateTurns + 1), Turn());
        Assert.Equal((Quantum, 0), Turn());
        Assert.Equal((Quantum, 0), Turn());
    }

    [Fact]
    public void What_control_leaves_of_a_turn_is_for_data()
    {
        _flood.ControlATurn = 3;
        _flood.DataATurn = Quantum;
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal((3, Quantum - 3), Turn());
        }
    }

    private static int LateTurns => (int)(new CoreOptions().DataLateNsMax / TurnNs);

    /// <summary>How many packets of each lane a turn handled.</summary>
    private (int Control, int Data) Turn()
    {
        (int control, int data) = (_flood.Control, _flood.Data);
        _core.DoWork(_nowNs);
        _nowNs += TurnNs;
        return (_flood.Control - control, _flood.Data - data);
    }

    private sealed class Flood : IIoSource, IDatagramHandler
    {
        public int ControlATurn { get; set; } = Quantum;

        public int DataATurn { get; set; }

        public int Control { get; private set; }

        public int Data { get; private set; }

        public bool HasWaiting(PortLane lane) => false;

        public int Drain(IoQueue queue, int packetsMax) =>
            Add(queue, PortLane.Control, PacketClass.Control, ControlATurn) + Add(queue, PortLane.Data, PacketClass.Data, DataATurn);

        public void OnDatagram(Span<byte> datagram)
        {
            if (datagram[PacketLayout.ClassOffset] == (byte)PacketClass.Control)
            {
                Control++;
            }
            else
            {
                Data++;
            }
        }

        private int Add(IoQueue queue, PortLane lane, PacketClass packetClass, int packets)
        {
            int added = 0;
            while (added < packets
                && queue.CountOf(lane) < Quantum
                && queue.TryReserve(lane, PortLimits.PacketBytesMin, out Span<byte> room))
            {
                room.Clear();
                room[PacketLayout.ClassOffset] = (byte)packetClass;
                added += queue.Commit(lane, room.Length, this);
            }

            return added;
        }
    }
}
