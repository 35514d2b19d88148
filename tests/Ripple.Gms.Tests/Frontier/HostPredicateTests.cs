using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Core;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Store;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Links;
using Ripple.Simulator.Signatures;
using Ripple.Simulator.Simulation;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>What a predicate can select at a real host: the rows are those the host makes of a join, not those of a test.</summary>
public sealed class HostPredicateTests
{
    private const string Application = "shop";
    private const string TokenId = "simulated";
    private const long SecondNs = 1_000_000_000;
    private readonly SimulatedWorld _world = new(7);
    private readonly SimulatedHost _host;

    public HostPredicateTests()
    {
        var authority = new SimulatedAuthority(_world.Random.Fork(13));
        SimulatedMachine machine = _world.AddMachine("host", "east", new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        _host = new SimulatedHost(_world, machine, authority, new GmsOptions { Name = "host1", Zone = "east" });
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
        Run();
    }

    [Theory]
    [InlineData("$ALL")]
    [InlineData("$ZONE(\"west\")")]
    [InlineData("$AREA(\"west\")")]
    [InlineData("$LABEL(\"ring\", \"canary\")")]
    [InlineData("$HOME(\"host1\")")]
    [InlineData("$NODE(\"node-1\")")]
    [InlineData("$HOSTS")]
    [InlineData("$REPLICAS")]
    [InlineData("$ALLWNODES")]
    [InlineData("$MYWNODE")]
    [InlineData("$MYAZWNODES")]
    [InlineData("$WNODE_east")]
    [InlineData("$AZ_east")]
    [InlineData("$1")]
    public void Every_operand_selects_somebody_of_a_host_with_a_node(string operand)
    {
        Join();

        Assert.Null(BindError($"MIN({operand}.received)"));
    }

    [Fact]
    public void A_node_is_not_at_home_at_another_host()
    {
        Join();

        Assert.Contains("no members", BindError("MIN($HOME(\"host2\"))")!.Message, StringComparison.Ordinal);
    }

    private PredicateError? BindError(string text)
    {
        Assert.True(PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error), error?.Message);
        var context = new BindingContext { Table = _host.Gms!.FrontierOf(Application)!.Table, Zone = "east" };
        return predicate.TryBind(context, out _, out error) ? null : error;
    }

    private void Join()
    {
        var peer = new LinkPeer
        {
            Kind = LinkPeerKind.Node,
            Application = Application,
            Role = "node",
            Name = "node-1",
            TokenId = TokenId,
            NodeIdHigh = 1,
            NodeIdLow = 1,
        };
        var link = new InMemoryLinkPair(peer, new LinkPeer { Kind = LinkPeerKind.Host, Name = "host" });
        HostCore gms = _host.Gms!;
        gms.OnLink(link.Left);
        KeyValuePair<string, string>[] labels = [KeyValuePair.Create("ring", "canary")];
        ushort version = Ripple.Engine.Protocol.Joining.Join.CurrentVersion;
        link.Right.TrySend(new Join(version, "west", peer.Name, labels, [Application], gms.DataAddress, gms.ControlAddress, [], 0));
        link.PumpAll();
        Run();
        Assert.Equal(1, gms.Counters.Members);
    }

    private void Run() => _world.RunUntil(_world.Scheduler.NowNs + SecondNs);
}
