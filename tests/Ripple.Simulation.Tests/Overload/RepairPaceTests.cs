using Ripple.Engine.Streams;
using Ripple.Simulation.Scenarios;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Overload;

/// <summary>A stream to members of which one is slow, on a network without loss: what is dropped, the buffer of that one drops.</summary>
public sealed class RepairPaceTests : IDisposable
{
    private const int NodeCount = 4;

    /// <summary>The slow member handles 5,000 packets a second.</summary>
    private const int Slowness = 200;
    private const ulong PossiblePackets = 5_000;

    private readonly SimulatedWorld _world = new(1);
    private readonly OverloadNode[] _nodes = new OverloadNode[NodeCount];
    private readonly OverloadHost _host;

    public RepairPaceTests()
    {
        _world.Paths.SetDefaults(_world.Paths.WithinZone with { Loss = 0 }, _world.Paths.BetweenZones);
        SimulatedMachine host = _world.AddHost("host");
        host.Start();
        _host = new OverloadHost(host, NodeCount, StreamOptions.Default);
        var checker = new OverloadChecker(_world, NodeCount);
        for (int i = 0; i < NodeCount; i++)
        {
            SimulatedMachine machine = _world.AddNode($"node{i + 1}");
            machine.Slowness = i == 0 ? Slowness : 1;
            machine.Start();
            _nodes[i] = new OverloadNode(machine, i + 1, _host.ControlAddress, checker);
        }

        host.Post(() => _host.Start(_nodes));
    }

    /// <summary>Packets and repairs so far; nobody else loses any.</summary>
    private long SentToSlow => _host.Sender.Counters.Packets + _host.Sender.Counters.Repairs;

    public void Dispose()
    {
        _host.Dispose();
        Array.ForEach(_nodes, n => n.Dispose());
    }

    /// <summary>
    /// While the window is full hardly any packets leave, so that no round of them ends: what is lost of repairs has to lower their rate.
    /// </summary>
    [Fact]
    public void Repairs_do_not_go_on_at_a_rate_at_which_most_of_them_are_dropped()
    {
        _world.RunFor(Second / 2);
        (long dropped, long sent) = Count(Second);
        Assert.InRange(dropped, 0, sent / 2);
    }

    /// <summary>Its pace must not fall so far that it has nothing to do.</summary>
    [Fact]
    public void A_slow_member_gets_a_third_of_what_it_can_handle_at_least()
    {
        _world.RunFor(Second / 2);
        ulong before = _nodes[0].Receiver.Contiguous;
        _world.RunFor(Second);
        Assert.InRange(_nodes[0].Receiver.Contiguous - before, PossiblePackets / 3, PossiblePackets);
    }

    private (long Dropped, long Sent) Count(long durationNs)
    {
        long dropped = _world.Faults[FaultKind.ReceiveOverflow];
        long sent = SentToSlow;
        _world.RunFor(durationNs);
        return (_world.Faults[FaultKind.ReceiveOverflow] - dropped, SentToSlow - sent);
    }
}
