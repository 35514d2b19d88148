using Ripple.Engine.Core;
using Ripple.Engine.Stack;
using Ripple.Simulator.Stack;

namespace Ripple.Simulation.Tests.Stack;

public sealed class FaultSinkTests
{
    private readonly CoreLoop _core = new(new CoreOptions(), 1);

    [Fact]
    public void Without_faults_everything_passes_in_order()
    {
        List<int> got = Pass(FaultPolicy.None, 500, out FaultSinkCounters counters);
        Assert.Equal(Enumerable.Range(0, 500), got);
        Assert.Equal(500, counters.Passed);
    }

    [Fact]
    public void A_share_is_dropped()
    {
        List<int> got = Pass(new FaultPolicy { DropProbability = 0.3 }, 10_000, out FaultSinkCounters counters);
        Assert.InRange(counters.Dropped, 2_700, 3_300);
        Assert.Equal(10_000 - counters.Dropped, got.Count);
        Assert.Equal(got.Order(), got);
    }

    [Fact]
    public void Dropping_everything_ends()
    {
        Assert.Empty(Pass(new FaultPolicy { DropProbability = 1 }, 5_000, out FaultSinkCounters counters));
        Assert.Equal(5_000, counters.Dropped);
    }

    [Fact]
    public void A_share_is_sent_twice()
    {
        List<int> got = Pass(new FaultPolicy { DuplicateProbability = 0.5 }, 2_000, out FaultSinkCounters counters);
        Assert.Equal(2_000 + counters.Duplicated, got.Count);
        Assert.InRange(counters.Duplicated, 850, 1_150);
        Assert.Equal(2_000, got.Distinct().Count());
    }

    [Fact]
    public void A_constant_delay_keeps_the_order_and_holds_a_bounded_number()
    {
        List<int> got = Pass(new FaultPolicy { DelayNsMin = 5_000_000, DelayNsMax = 5_000_000 }, 3_000, out FaultSinkCounters counters);
        Assert.Equal(Enumerable.Range(0, 3_000), got);
        Assert.Equal(3_000, counters.Delayed);
        // Three times the hold queue: at least three delays went by.
        Assert.InRange(_core.NowNs, 15_000_000, long.MaxValue);
    }

    [Fact]
    public void Reordering_loses_nothing()
    {
        List<int> got = Pass(new FaultPolicy { ReorderProbability = 0.2 }, 1_000, out FaultSinkCounters counters);
        Assert.Equal(1_000, got.Count);
        Assert.NotEqual(got.Order(), got);
        Assert.Equal(Enumerable.Range(0, 1_000), got.Order());
        Assert.InRange(counters.Reordered, 150, 250);
    }

    [Fact]
    public void A_partition_loses_what_is_made_and_what_is_held_for_those_behind_it()
    {
        List<int> got = Pass(new FaultPolicy { IsPartitioned = to => to.Port % 2 == 0 }, 100, out FaultSinkCounters counters);
        Assert.All(got, n => Assert.Equal(1, n % 2));
        Assert.Equal(50, counters.Partitioned);
        Assert.Equal(50, got.Count);
    }

    [Fact]
    public void The_same_seed_gives_the_same_faults()
    {
        var policy = new FaultPolicy { DropProbability = 0.2, DuplicateProbability = 0.2, ReorderProbability = 0.2, DelayNsMax = 100_000 };
        Assert.Equal(Pass(policy, 1_000, out _), new FaultSinkTests().Pass(policy, 1_000, out _));
    }

    private List<int> Pass(FaultPolicy policy, int count, out FaultSinkCounters counters)
    {
        var port = new KeepingPort();
        using var root = new PortSink(_core, port);
        using var sink = new FaultSink(_core, root, new DeterministicRandom(7), policy);
        sink.Register(new Numbers(count), PacketClass.Data);
        for (int i = 0; i < 100_000; i++)
        {
            _core.DoWork(_core.NowNs);
            if (_core.NextDueNs == long.MaxValue)
            {
                break;
            }

            _core.DoWork(_core.NextDueNs);
        }

        Assert.Equal(long.MaxValue, _core.NextDueNs);
        counters = sink.Counters;
        return port.Sent;
    }

    [Fact]
    public void A_train_loses_packets_one_by_one_and_what_is_left_stays_a_train()
    {
        var port = new TrainPort();
        using var root = new PortSink(_core, port);
        using var sink = new FaultSink(_core, root, new DeterministicRandom(3), new FaultPolicy { DropProbability = 0.2 });
        byte[] train = [.. Enumerable.Range(0, 20).SelectMany(i => Enumerable.Repeat((byte)i, i == 19 ? 5 : 10))];
        sink.Register(new TrainFeed(train), PacketClass.Data);
        _core.DoWork(1);
        Assert.Equal(20, sink.Counters.Dropped + sink.Counters.Passed);
        Assert.InRange(sink.Counters.Dropped, 1, 10);
        byte[] sent = Assert.Single(port.Trains);
        Assert.Equal(sink.Counters.Passed, (sent.Length + 9) / 10);
        Assert.Equal(sent.Order(), sent);
        Assert.Equal(Enumerable.Range(0, 20).SelectMany(i => Enumerable.Repeat((byte)i, i == 19 ? 5 : 10)), train);
    }

    private sealed class TrainFeed(byte[] train) : IDatagramFeed
    {
        private bool _isPulled;

        public bool TryPull(ref DatagramSlot slot)
        {
            slot.Bytes = train;
            slot.PacketBytes = 10;
            slot.To = NodeAddress.FromIPv4(1, 1);
            return _isPulled != (_isPulled = true);
        }
    }

    private sealed class TrainPort : IDatagramPort
    {
        public List<byte[]> Trains { get; } = [];

        public NodeAddress LocalAddress => NodeAddress.FromIPv4(1, 1);

        public IDatagramHandler? Handler { get; set; }

        public Action? OnWritable { get; set; }

        public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram) => SendTrain(to, datagram, datagram.Length, out _);

        public SendStatus SendTrain(in NodeAddress to, ReadOnlySpan<byte> train, int packetBytes, out int doneBytes)
        {
            Trains.Add(train.ToArray());
            doneBytes = train.Length;
            return SendStatus.Sent;
        }

        public void Dispose()
        {
        }
    }

    private sealed class Numbers(int count) : IDatagramFeed
    {
        private int _next;

        public bool TryPull(ref DatagramSlot slot)
        {
            if (_next == count)
            {
                return false;
            }

            BitConverter.TryWriteBytes(slot.Scratch, _next);
            slot.Bytes = slot.Scratch[..4];
            slot.To = NodeAddress.FromIPv4(1, (ushort)_next);
            _next++;
            return true;
        }
    }

    private sealed class KeepingPort : IDatagramPort
    {
        public List<int> Sent { get; } = [];

        public NodeAddress LocalAddress => NodeAddress.FromIPv4(1, 1);

        public IDatagramHandler? Handler { get; set; }

        public Action? OnWritable { get; set; }

        public SendStatus Send(in NodeAddress to, ReadOnlySpan<byte> datagram)
        {
            Sent.Add(BitConverter.ToInt32(datagram));
            return SendStatus.Sent;
        }

        public void Dispose()
        {
        }
    }
}
