using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Testing.Adversary;
using Ripple.Testing.Adversary.Checking;
using Ripple.Testing.Checking;
using Ripple.Testing.Cluster;
using Ripple.Testing.Signatures;

namespace Ripple.Simulation.Tests.Adversary;

public sealed class AdversaryCheckerTests
{
    [Fact]
    public void A_joined_member_that_lacks_a_release_for_long_does_not_receive()
    {
        (SimulatedCluster cluster, _, _) = Prepare();
        var checker = new ReceivingChecker(cluster.World, cluster);
        checker.Start();
        ReleaseHeader newest = cluster.Reference.NewestOf(SimulatedCluster.Application)!;

        checker.OnCommitted(newest);
        cluster.World.RunFor(14 * World.Second);
        checker.OnCommitted(Copy(newest, newest.Release + 1));

        Assert.Equal(
            "Receiving", Assert.Throws<InvariantViolationException>(() => cluster.World.RunFor(14 * World.Second)).Checker);
    }

    [Fact]
    public void A_stream_to_where_nobody_listens_is_found()
    {
        (SimulatedCluster cluster, _, _) = Prepare();
        var checker = new StrangerChecker(cluster.World);
        NodeAddress used = cluster.Clients[2].DataAddress!.Value;

        for (int i = 0; i < 100; i++)
        {
            checker.OnSent(used, 1_400);
        }

        for (int i = 0; i < 10; i++)
        {
            checker.OnSent(used with { Port = 53 }, 1_400);
        }

        Assert.Equal("Strangers", Assert.Throws<InvariantViolationException>(Send).Checker);

        void Send()
        {
            checker.OnSent(used with { Port = 53 }, 1_400);
            checker.OnSent(used with { Port = 53 }, 1_400);
        }
    }

    [Fact]
    public void A_member_that_sends_to_where_nobody_listens_is_found_at_once()
    {
        (SimulatedCluster cluster, _, _) = Prepare();
        var checker = new StrangerChecker(cluster.World);
        NodeAddress used = cluster.Clients[2].DataAddress!.Value;
        checker.OnSentByMember(used, 100);

        Assert.Equal(
            "Strangers",
            Assert.Throws<InvariantViolationException>(() => checker.OnSentByMember(used with { Port = 53 }, 100)).Checker);
    }

    [Fact]
    public void A_row_in_a_generation_that_never_began_is_found()
    {
        (SimulatedCluster cluster, ForgeryChecker checker, FrontierTable table) = Prepare();
        cluster.Host.Machine.Add(checker);
        table.BeginGeneration(table.Generation + 1);

        Assert.Equal("Forgery", Assert.Throws<InvariantViolationException>(() => cluster.World.RunFor(2 * World.Second)).Checker);
    }

    [Fact]
    public void A_proof_with_a_signature_that_nobody_made_is_found()
    {
        (SimulatedCluster cluster, ForgeryChecker checker, _) = Prepare();
        SimulatedClient client = cluster.Clients[2];

        // The authority of the checker is not the one of the cluster: to it, every signature is made up.
        Assert.Equal(
            "Forgery",
            Assert.Throws<InvariantViolationException>(
                () => checker.OnApplied(client, client.Node!.Find(SimulatedCluster.Application)!.Received)).Checker);
    }

    [Theory]
    [InlineData("direct")]
    [InlineData("rejection")]
    [InlineData("generation")]
    [InlineData("own frame")]
    public void A_row_that_moves_while_something_forged_is_handled_is_found(string what)
    {
        (SimulatedCluster cluster, ForgeryChecker checker, FrontierTable table) = Prepare();
        FrontierRow row = table.Rows.First(r => r.Member.Name == "client2");

        checker.BeforeForged();
        switch (what)
        {
            case "direct":
                table.Report(row, row.Generation, 1_000, 1_000, 1_000, isDirect: true);
                break;
            case "rejection":
                table.Reject(row, row.Generation, 1_000, "forged", isDirect: true);
                break;
            case "generation":
                table.BeginGeneration(row.Generation + 1);
                break;
            default:
                table.Report(row, row.Generation, 1_000, 1_000, 1_000, isDirect: false);
                break;
        }

        bool isOwnFrame = what == "own frame";
        Assert.Equal("Forgery", Assert.Throws<InvariantViolationException>(() => checker.AfterForged(what, isOwnFrame)).Checker);
        Assert.NotNull(cluster.Attacker);
    }

    [Fact]
    public void The_ring_may_lie_about_levels_and_the_captured_member_about_itself()
    {
        (_, ForgeryChecker checker, FrontierTable table) = Prepare();
        FrontierRow honest = table.Rows.First(r => r.Member.Name == "client2");
        FrontierRow captured = table.Rows.First(r => r.Member.Name == "client1");

        checker.BeforeForged();
        table.Report(honest, honest.Generation, 1_000, 1_000, 1_000, isDirect: false);
        table.Reject(honest, honest.Generation, 1_000, "forged", isDirect: false);
        table.Report(captured, captured.Generation, 1_000, 1_000, 1_000, isDirect: true);
        table.Reject(captured, captured.Generation, 1_000, "forged", isDirect: false);

        checker.AfterForged("aggregates", isOwnFrame: false);
    }

    [Fact]
    public void A_receiver_that_refuses_all_of_a_sealer_for_long_is_deaf()
    {
        (SimulatedCluster cluster, _, _) = Prepare();
        var checker = new DeafnessChecker(cluster.World);
        SimulatedClient client = cluster.Clients[2];
        ulong region = client.Node!.View!.RegionId;
        var header = new PacketHeader(PacketClass.Data, 100, client.Accepted!.KeyEpoch, region, 0, 1);

        for (int i = 0; i < 100; i++)
        {
            // Every tenth is opened: not deaf.
            checker.OnHandled(client, header, isOpened: i % 10 == 0);
            cluster.World.RunFor(100 * World.Ms);
        }

        Assert.Equal("Deafness", Assert.Throws<InvariantViolationException>(RefuseAll).Checker);

        void RefuseAll()
        {
            for (int i = 0; i < 100; i++)
            {
                checker.OnHandled(client, header, isOpened: false);
                cluster.World.RunFor(100 * World.Ms);
            }
        }
    }

    [Fact]
    public void A_member_that_does_not_take_what_it_is_brought_is_frozen()
    {
        (SimulatedCluster cluster, _, _) = Prepare();
        var receiving = new ReceivingChecker(cluster.World, cluster);
        receiving.Start();
        cluster.World.RunFor(World.Second);
        SimulatedClient client = cluster.Clients[2];
        ulong release = client.Node!.Find(SimulatedCluster.Application)!.Received.Keys.Release;
        var checker = new FrozenChecker(cluster.World, receiving);

        checker.OnBrought(client, 1, release);
        cluster.World.RunFor(6 * World.Second);
        checker.OnBrought(client, 1, release + 1);

        Assert.Equal(
            "Frozen", Assert.Throws<InvariantViolationException>(() => cluster.World.RunFor(6 * World.Second)).Checker);
    }

    private static ReleaseHeader Copy(ReleaseHeader header, ulong release) => new()
    {
        Kind = header.Kind,
        Application = header.Application,
        Generation = header.Generation,
        Release = release,
        SlotEpoch = header.SlotEpoch,
        PreviousId = header.Id,
        PublishId = header.PublishId,
        Actor = header.Actor,
        TimeUnixMicros = header.TimeUnixMicros,
        Note = header.Note,
        Changes = header.Changes,
        StateRoot = header.StateRoot,
    };

    private static (SimulatedCluster Cluster, ForgeryChecker Checker, FrontierTable Table) Prepare()
    {
        SimulatedCluster cluster = ForgeryKindTests.Build(1, new AttackOptions { Kinds = [] }, seconds: 4);
        Assert.Null(ForgeryKindTests.Go(cluster));
        var authority = new SimulatedAuthority(new DeterministicRandom(1));
        var checker = new ForgeryChecker(cluster.World, cluster, cluster.Attacker!, authority);
        return (cluster, checker, cluster.Host.Gms!.FrontierOf(SimulatedCluster.Application)!.Table);
    }
}
