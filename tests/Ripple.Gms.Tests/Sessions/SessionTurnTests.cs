using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Core;
using Ripple.Gms.Store;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Links;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Connections of a host, by hand: who is sent bulk, and who does not read.</summary>
public sealed class SessionTurnTests
{
    private const string Application = "shop";
    private const string TokenId = "simulated";
    private const long SecondNs = 1_000_000_000;
    private readonly SimulatedWorld _world = new(7);
    private readonly SimulatedHost _host;
    private readonly List<InMemoryLinkPair> _links = [];

    public SessionTurnTests()
    {
        var authority = new SimulatedAuthority(_world.Random.Fork(13));
        SimulatedMachine machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _host = new SimulatedHost(_world, machine, authority, new GmsOptions());
        using (SimulatedHostStore store = _host.Disk.Open())
        {
            var token = new AccessToken(TokenId, new byte[32], AccessTokenGrant.For(["*"], AccessRole.Publisher), 1, null, null);
            var batch = new CommitBatch
            {
                Applications = [new NewApplication(1, Application, 1)],
                Tokens = [AccessTokenChange.Create(token, "administrator")],
            };
            store.Commit(batch, _ => { });
        }

        machine.Start();
        Run(SecondNs);
    }

    private HostCore Gms => _host.Gms!;

    [Fact]
    public void Connections_that_want_bulk_at_once_have_a_few_turns_each_turn_of_the_core()
    {
        const int Nodes = 30;
        for (int i = 0; i < Nodes; i++)
        {
            Join(i);
        }

        Run(SecondNs);
        PumpAll();
        Assert.Equal(Nodes, Gms.Counters.Members);

        int[] idle = Rooms();
        foreach (InMemoryLinkPair link in _links)
        {
            link.Right.TrySend(new Status(1, Application));
            link.PumpAll();
        }

        Assert.Equal(idle, Rooms());
        int turns = 0;
        for (int served = 0; served < Nodes; turns++)
        {
            _host.Machine.Core.DoWork(_host.Machine.Core.NowNs);
            int now = Rooms().Zip(idle).Count(r => r.First < r.Second);
            Assert.InRange(now - served, 1, 4);
            served = now;
        }

        Assert.InRange(turns, Nodes / 4, Nodes);
    }

    [Fact]
    public void Who_takes_nothing_of_what_waits_for_it_is_closed_and_who_is_slow_is_not()
    {
        Join(0);
        Join(1);
        Run(SecondNs);
        PumpAll();
        ulong sequence = 0;
        for (int seconds = 0; seconds < 40; seconds++)
        {
            foreach (InMemoryLinkPair link in _links.Where(l => !l.Left.IsClosed))
            {
                // It says that it is alive, and reads nothing.
                link.Left.Handler!.OnFrame((ushort)MessageType.Heartbeat, MessageCodec.Encode(new Heartbeat(++sequence, default, [])));
            }

            if (seconds % 20 == 19)
            {
                _links[1].Pump();
            }

            Run(SecondNs);
        }

        Assert.True(_links[0].Left.IsClosed);
        Assert.False(_links[1].Left.IsClosed);
        Assert.Equal(1, Gms.Counters.Members);
    }

    private void Join(int number)
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = Application,
            Role = "node",
            Name = $"node-{number}",
            TokenId = TokenId,
            NodeIdHigh = 1,
            NodeIdLow = (ulong)number + 1,
        };
        var link = new InMemoryLinkPair(peer, new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _links.Add(link);
        Gms.OnLink(link.Left);
        ushort version = Ripple.Engine.Protocol.Joining.Join.CurrentVersion;
        link.Right.TrySend(new Join(version, "east", peer.Name, [], [Application], Gms.DataAddress, Gms.ControlAddress, [], 0));
        link.PumpAll();
    }

    private void Run(long ns) => _world.RunUntil(_world.Scheduler.NowNs + ns);

    private void PumpAll()
    {
        foreach (InMemoryLinkPair link in _links)
        {
            link.PumpAll();
        }
    }

    private int[] Rooms() => [.. _links.Select(l => l.Left.SendRoomBytes)];
}
