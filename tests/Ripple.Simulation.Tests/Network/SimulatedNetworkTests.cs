using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Network;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Network;

public class SimulatedNetworkTests
{
    private readonly SimulatedWorld _world = new(3);
    private readonly SimulatedMachine _a;
    private readonly SimulatedMachine _b;
    private readonly SimulatedPort _from;
    private readonly Receiver _to;

    public SimulatedNetworkTests()
    {
        _a = _world.AddNode("a");
        _b = _world.AddNode("b");
        _a.Start();
        _b.Start();
        _from = _world.Network.Open(_a);
        _to = new Receiver(_b);
    }

    [Fact]
    public void A_quiet_path_delivers_everything_once_in_order_after_its_latency()
    {
        SendPaced(1_000);
        Assert.Equal(Enumerable.Range(0, 1_000), _to.Numbers);
        Assert.InRange(_to.TimesNs[0], 100_000, 160_000);
    }

    [Fact]
    public void Zones_have_latencies_of_their_own()
    {
        SimulatedMachine far = _world.AddNode("far", "elsewhere");
        far.Start();
        var receiver = new Receiver(far);
        _world.Paths.Set("zone", "elsewhere", new PathProfile { LatencyNs = 70 * Ms });
        _from.Send(receiver.Port.LocalAddress, Receiver.Datagram(0));
        _world.RunFor(Second);
        Assert.InRange(Assert.Single(receiver.TimesNs), 70 * Ms, 71 * Ms);
    }

    [Fact]
    public void Loss_is_seen_and_counted()
    {
        using var _ = new Ended(_world.Paths.Disturb(new PathProfile { Loss = 0.2 }));
        SendPaced(1_000);
        long lost = _world.Faults[FaultKind.DatagramLost];
        Assert.InRange(lost, 150, 250);
        Assert.Equal(1_000 - lost, _to.Numbers.Count);
    }

    [Fact]
    public void Duplication_is_seen_and_counted()
    {
        using var _ = new Ended(_world.Paths.Disturb(new PathProfile { Duplication = 0.2 }));
        SendPaced(1_000);
        long duplicated = _world.Faults[FaultKind.DatagramDuplicated];
        Assert.InRange(duplicated, 150, 250);
        Assert.Equal(1_000 + duplicated, _to.Numbers.Count);
        Assert.Equal(1_000, _to.Numbers.Distinct().Count());
    }

    [Fact]
    public void Reordering_is_seen_and_counted()
    {
        using var _ = new Ended(_world.Paths.Disturb(new PathProfile { Reorder = 0.1, ReorderDelayNs = 10 * Ms }));
        SendPaced(1_000);
        Assert.InRange(_world.Faults[FaultKind.DatagramReordered], 50, 150);
        Assert.Equal(Enumerable.Range(0, 1_000), _to.Numbers.Order());
        Assert.NotEqual(Enumerable.Range(0, 1_000), _to.Numbers);
    }

    [Fact]
    public void Corruption_flips_one_bit_and_is_counted()
    {
        using var _ = new Ended(_world.Paths.Disturb(new PathProfile { Corruption = 1 }));
        byte[] sent = Receiver.Datagram(5);
        _from.Send(_to.Port.LocalAddress, sent);
        _world.RunFor(Second);
        byte[] received = Assert.Single(_to.Datagrams);
        Assert.Equal(1, sent.Zip(received).Sum(pair => BitOperations.PopCount((uint)(pair.First ^ pair.Second))));
        Assert.Equal(1, _world.Faults[FaultKind.DatagramCorrupted]);
    }

    [Fact]
    public void A_partition_blocks_both_ways_until_healed()
    {
        var back = new Receiver(_a);
        SimulatedPort fromB = _world.Network.Open(_b);
        Partition partition = _world.Connectivity.Cut([_a], [_b]);
        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(1));
        fromB.Send(back.Port.LocalAddress, Receiver.Datagram(1));
        _world.RunFor(Second);
        Assert.Empty(_to.Numbers);
        Assert.Empty(back.Numbers);
        Assert.Equal(2, _world.Faults[FaultKind.DatagramBlocked]);
        partition.Heal();
        partition.Heal();
        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(2));
        fromB.Send(back.Port.LocalAddress, Receiver.Datagram(2));
        _world.RunFor(Second);
        Assert.Equal([2], _to.Numbers);
        Assert.Equal([2], back.Numbers);
    }

    [Fact]
    public void A_one_way_partition_blocks_one_way()
    {
        var back = new Receiver(_a);
        SimulatedPort fromB = _world.Network.Open(_b);
        _world.Connectivity.Cut([_a], [_b], isOneWay: true);
        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(1));
        fromB.Send(back.Port.LocalAddress, Receiver.Datagram(1));
        _world.RunFor(Second);
        Assert.Empty(_to.Numbers);
        Assert.Equal([1], back.Numbers);
    }

    [Fact]
    public void Healing_one_of_two_partitions_leaves_the_other()
    {
        Partition first = _world.Connectivity.Cut([_a], [_b]);
        Partition second = _world.Connectivity.Cut([_b], [_a]);
        first.Heal();
        Assert.True(_world.Connectivity.IsBlocked(_a, _b));
        second.Heal();
        Assert.False(_world.Connectivity.IsBlocked(_a, _b));
    }

    [Fact]
    public void A_receive_buffer_is_first_in_first_out_bounded_in_bytes_and_drops_what_comes_later()
    {
        // Ten datagrams of 100 bytes and their overhead fit.
        var small = new Receiver(_b, receiveBufferBytes: 10 * (100 + _world.Network.Options.ReceiveOverheadBytes));
        _b.Pause(100 * Ms);
        for (int i = 0; i < 15; i++)
        {
            _from.Send(small.Port.LocalAddress, Receiver.Datagram(i));
        }

        _world.RunFor(50 * Ms);
        Assert.Equal(10, small.Port.ReceivedCount);
        Assert.Equal(small.Port.ReceiveBufferBytes, small.Port.ReceivedBytes);
        Assert.Equal(5, small.Port.OverflowCount);
        Assert.Equal(5, _world.Faults[FaultKind.ReceiveOverflow]);
        _world.RunFor(Second);
        Assert.Equal(Enumerable.Range(0, 10), small.Numbers);
        Assert.Equal(0, small.Port.ReceivedBytes);
    }

    [Fact]
    public void A_token_waits_in_the_receive_buffer_behind_data_and_is_dropped_when_data_filled_it()
    {
        var small = new Receiver(_b, receiveBufferBytes: 10 * (100 + _world.Network.Options.ReceiveOverheadBytes));
        _b.Pause(100 * Ms);
        for (int i = 0; i < 10; i++)
        {
            _from.Send(small.Port.LocalAddress, Receiver.Datagram(i));
        }

        _from.Send(small.Port.LocalAddress, Receiver.Datagram(99, PacketClass.Control));
        _world.RunFor(Second);
        Assert.DoesNotContain(99, small.Numbers);
    }

    [Fact]
    public void Within_the_core_a_token_goes_before_data_that_waited_longer()
    {
        _b.Pause(100 * Ms);
        for (int i = 0; i < 10; i++)
        {
            _from.Send(_to.Port.LocalAddress, Receiver.Datagram(i));
        }

        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(99, PacketClass.Control));
        _world.RunFor(Second);
        Assert.Equal(99, _to.Numbers[0]);
        Assert.Equal(11, _to.Numbers.Count);
    }

    [Fact]
    public void A_send_buffer_refuses_beyond_its_bound_and_says_when_there_is_room()
    {
        int writable = 0;
        _from.OnWritable = () => writable++;
        byte[] datagram = Receiver.Datagram(0, length: 1_400);
        int sent = 0;
        while (_from.Send(_to.Port.LocalAddress, datagram) == SendStatus.Sent)
        {
            sent++;
            Assert.True(_from.SendBacklogBytes <= _world.Network.Options.SendBufferBytes);
            Assert.True(sent < 1_000);
        }

        Assert.InRange(sent, 148, 154);
        Assert.Equal(1, _world.Faults[FaultKind.SendBlocked]);
        Assert.Equal(0, writable);
        _world.RunFor(Second);
        Assert.Equal(1, writable);
        Assert.Equal(SendStatus.Sent, _from.Send(_to.Port.LocalAddress, datagram));
    }

    [Fact]
    public void A_crash_drops_what_waited_and_later_arrivals_find_no_port()
    {
        _b.Pause(Second);
        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(0));
        _world.RunFor(10 * Ms);
        Assert.Equal(1, _to.Port.ReceivedCount);
        _from.Send(_to.Port.LocalAddress, Receiver.Datagram(1));
        _b.Crash();
        Assert.Equal(0, _to.Port.ReceivedCount);
        _b.Start();
        _world.RunFor(Second);
        Assert.Empty(_to.Numbers);
        Assert.Equal(1, _world.Faults[FaultKind.DatagramUnreachable]);
        Assert.Equal(SendStatus.Failed, _to.Port.Send(_from.LocalAddress, Receiver.Datagram(2)));
    }

    [Fact]
    public void A_disposed_port_takes_nothing_more_not_even_what_waits_in_the_core()
    {
        SimulatedPort fixedPort = _world.Network.Open(_b, 7_000);
        Assert.Throws<InvalidOperationException>(() => _world.Network.Open(_b, 7_000));
        fixedPort.Dispose();
        fixedPort.Dispose();
        using SimulatedPort again = _world.Network.Open(_b, 7_000);
        Assert.Equal(fixedPort.LocalAddress, again.LocalAddress);
    }

    [Fact]
    public void An_attacker_hears_injects_and_replays()
    {
        int heard = 0;
        _world.Network.Tap = (from, to, bytes) =>
            heard += from == _from.LocalAddress && to == _to.Port.LocalAddress && bytes.Length == 100 ? 1 : 0;
        PacketRecorder recorder = _world.Network.StartRecording(3);
        SendPaced(5);
        Assert.Equal(5, heard);
        Assert.Equal(3, recorder.Count);
        Assert.Equal(_to.Port.LocalAddress, recorder.To(0));
        _world.Network.Inject(recorder.To(0), recorder.Bytes(0));
        _world.Network.Inject(_to.Port.LocalAddress, Receiver.Datagram(1_000), 5 * Ms);
        _world.RunFor(Second);
        Assert.Equal([0, 1, 2, 3, 4, 2, 1_000], _to.Numbers);
    }

    [Fact]
    public void A_datagram_that_passes_no_path_whole_fails()
    {
        Assert.Equal(SendStatus.Failed, _from.Send(_to.Port.LocalAddress, new byte[1_473]));
    }

    private void SendPaced(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Assert.Equal(SendStatus.Sent, _from.Send(_to.Port.LocalAddress, Receiver.Datagram(i)));
            _world.RunFor(20_000);
        }

        _world.RunFor(Second);
    }

    private sealed class Ended(Disturbance disturbance) : IDisposable
    {
        public void Dispose() => disturbance.End();
    }
}
