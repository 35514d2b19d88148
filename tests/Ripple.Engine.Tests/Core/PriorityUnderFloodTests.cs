using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

/// <summary>
/// A flood of data that a core cannot keep up with, on a clock that every handled packet moves: what control waits, from its arrival to its
/// handling.
/// </summary>
public sealed class PriorityUnderFloodTests
{
    private const long MillisecondNs = 1_000_000;
    private const long DurationNs = 500 * MillisecondNs;

    // 1 us is what opening a sealed packet of 1 KB takes; 3 us is a slow machine, or much work a packet.
    [Theory]
    [InlineData(1_000)]
    [InlineData(3_000)]
    public void Control_waits_less_than_a_millisecond(long packetNs)
    {
        Flood flood = Run(packetNs, isClassed: true);
        Assert.InRange(flood.ControlWaitNsMax, 1, MillisecondNs);
        Assert.InRange(flood.ControlCount, 4_000, 6_000);
        // The flood goes on meanwhile: what is left of the core is its.
        Assert.True(flood.DataCount > DurationNs / packetNs / 2, $"only {flood.DataCount} data packets were handled");
    }

    [Theory]
    [InlineData(10_000)]
    [InlineData(20_000)]
    public void Alarms_that_lag_shorten_the_turns_until_control_waits_less_than_a_millisecond(long packetNs)
    {
        Flood flood = Run(packetNs, isClassed: true);
        Assert.InRange(flood.SettledWaitNsMax, 1, MillisecondNs);
    }

    [Fact]
    public void Control_that_came_as_data_would_wait_for_the_flood()
    {
        Flood flood = Run(3_000, isClassed: false);
        Assert.True(
            flood.ControlWaitNsMax > 2 * MillisecondNs,
            $"{flood.ControlWaitNsMax} ns: this flood holds up nothing, so the others prove nothing");
    }

    private static Flood Run(long packetNs, bool isClassed)
    {
        var core = new CoreLoop(new CoreOptions { IsChecked = true }, seed: 1);
        var flood = new Flood(core, packetNs, isClassed);
        core.Add(flood);
        // A node has timers: by their lag the core sees that its turns are long.
        Alarm alarm = null!;
        alarm = new Alarm(() => core.ScheduleIn(alarm, 100_000));
        core.ScheduleIn(alarm, 0);
        long nowNs = 0;
        while (nowNs < DurationNs)
        {
            nowNs += flood.Turn(nowNs);
        }

        return flood;
    }

    private sealed class Flood(CoreLoop core, long packetNs, bool isClassed) : IIoSource, IDatagramHandler
    {
        private const int PacketBytes = 64;
        private const int NumberOffset = 8;
        private const long TurnNs = 5_000;
        private const long ControlEveryNs = 100_000;
        private const long SettledNs = DurationNs / 10;
        private long _turnStartNs;
        private long _handledInTurn;
        private long _nextControlNs = ControlEveryNs;

        public long ControlWaitNsMax { get; private set; }

        /// <summary>The longest wait after the first tenth of the time.</summary>
        public long SettledWaitNsMax { get; private set; }

        public long ControlCount { get; private set; }

        public long DataCount { get; private set; }

        public bool HasWaiting(PortLane lane) => lane == PortLane.Data;

        /// <summary>Takes a turn; returns how long it took.</summary>
        public long Turn(long nowNs)
        {
            _turnStartNs = nowNs;
            _handledInTurn = 0;
            core.DoWork(nowNs);
            return TurnNs + (_handledInTurn * packetNs);
        }

        public int Drain(IoQueue queue, int packetsMax)
        {
            int moved = 0;
            while (_nextControlNs <= _turnStartNs && TryAdd(queue, isControl: true, _nextControlNs))
            {
                _nextControlNs += ControlEveryNs;
                moved++;
            }

            // There is always more.
            for (int i = 0; i < packetsMax && TryAdd(queue, isControl: false, _turnStartNs); i++)
            {
                moved++;
            }

            return moved;
        }

        public void OnDatagram(Span<byte> datagram)
        {
            _handledInTurn++;
            if (datagram[4] == 0)
            {
                DataCount++;
                return;
            }

            long waitNs = _turnStartNs + (_handledInTurn * packetNs) - BitConverter.ToInt64(datagram[NumberOffset..]);
            ControlCount++;
            ControlWaitNsMax = Math.Max(ControlWaitNsMax, waitNs);
            SettledWaitNsMax = _turnStartNs > SettledNs ? Math.Max(SettledWaitNsMax, waitNs) : 0;
        }

        private bool TryAdd(IoQueue queue, bool isControl, long arrivedNs)
        {
            PortLane lane = isControl && isClassed ? PortLane.Control : PortLane.Data;
            if (!queue.TryReserve(lane, PacketBytes, out Span<byte> room))
            {
                return false;
            }

            room.Clear();
            room[0] = 0x11;
            room[1] = (byte)(lane == PortLane.Control ? PacketClass.Control : PacketClass.Data);
            room[2] = PacketBytes;
            room[4] = isControl ? (byte)1 : (byte)0;
            BitConverter.TryWriteBytes(room[NumberOffset..], arrivedNs);
            queue.Commit(lane, PacketBytes, this);
            return true;
        }
    }
}
