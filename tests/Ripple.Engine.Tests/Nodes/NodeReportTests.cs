using Ripple.Engine.Frontier;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>What a node tells its host outside the ring: on demand, when it refuses a release, and what it holds a proof of.</summary>
public sealed class NodeReportTests
{
    private readonly ReleaseChain _chain = new();

    [Fact]
    public void A_demand_for_what_is_here_is_answered_at_once()
    {
        using NodeRig rig = Joined();
        Publish(rig);
        rig.Host.Forget();
        rig.Send(new DirectDemand(NodeRig.Topic, 1));

        Report report = rig.Host.Only<Report>();
        Assert.Equal([new LevelRow(NodeRig.Topic, 1, 1, 0, 1)], report.Rows);
        Assert.Empty(report.Rejections);
    }

    [Fact]
    public void A_demand_for_what_is_to_come_is_answered_when_it_came()
    {
        using NodeRig rig = Joined();
        rig.HoldsDecisions = true;
        rig.Send(new DirectDemand(NodeRig.Topic, 2));
        Publish(rig);
        Assert.Empty(rig.Host.All<Report>());

        Publish(rig);
        Assert.Equal([new LevelRow(NodeRig.Topic, 1, 2, 0, 0)], rig.Host.All<Report>()[^1].Rows);
        rig.Host.Forget();
        rig.Candidates[0].Decide(null);
        rig.Pump();
        Assert.Equal([new LevelRow(NodeRig.Topic, 1, 2, 0, 1)], rig.Host.All<Report>()[^1].Rows);
    }

    [Fact]
    public void A_demand_that_was_answered_says_nothing_of_later_releases()
    {
        using NodeRig rig = Joined();
        Publish(rig);
        rig.Send(new DirectDemand(NodeRig.Topic, 1));
        rig.Host.Forget();
        Publish(rig);
        Publish(rig);

        Assert.Empty(rig.Host.All<Report>());
    }

    [Fact]
    public void A_demand_is_answered_once_for_each_level_up_to_its_release()
    {
        var demands = new DirectDemands();
        demands.Add(1, 5);
        Assert.False(demands.MustReport(new LevelRow(1, 1, 4, 4, 4)));
        Assert.True(demands.MustReport(new LevelRow(1, 1, 5, 4, 4)));
        Assert.False(demands.MustReport(new LevelRow(1, 1, 6, 4, 4)));
        Assert.True(demands.MustReport(new LevelRow(1, 1, 6, 4, 6)));
        Assert.False(demands.MustReport(new LevelRow(1, 1, 9, 4, 9)));
        demands.Add(1, 3);
        Assert.False(demands.MustReport(new LevelRow(1, 1, 9, 4, 9)));
        Assert.True(demands.MustReport(new LevelRow(1, 1, 9, 9, 9)));
        Assert.Equal(0, demands.Count);
        Assert.False(demands.MustReport(new LevelRow(1, 1, 10, 10, 10)));
        Assert.False(demands.MustReport(new LevelRow(2, 1, 10, 10, 10)));
    }

    [Fact]
    public void A_lower_demand_does_not_take_a_higher_one_back()
    {
        using NodeRig rig = Joined();
        rig.Send(new DirectDemand(NodeRig.Topic, 2));
        rig.Send(new DirectDemand(NodeRig.Topic, 1));
        Publish(rig);

        Assert.Empty(rig.Host.All<Report>());
    }

    [Fact]
    public void A_demand_for_another_application_is_not_answered()
    {
        using NodeRig rig = Joined();
        Publish(rig);
        rig.Host.Forget();
        rig.Send(new DirectDemand(NodeRig.Topic + 1, 1));

        Assert.Empty(rig.Host.Types);
        Assert.Empty(rig.Disconnects);
    }

    [Fact]
    public void A_demand_ends_with_the_connection_it_came_by()
    {
        using NodeRig rig = Joined();
        rig.Send(new DirectDemand(NodeRig.Topic, 1));
        rig.Break("cut");
        rig.Run(NodeRig.SecondNs);
        rig.Host.Forget();
        rig.Join();
        Publish(rig);

        Assert.Empty(rig.Host.All<Report>());
    }

    [Fact]
    public void Nothing_is_reported_that_nobody_asked_for()
    {
        using NodeRig rig = Joined();
        Publish(rig);
        Publish(rig);

        Assert.Empty(rig.Host.Types);
    }

    [Fact]
    public void A_release_that_is_refused_here_is_reported_at_once_with_the_reason()
    {
        using NodeRig rig = Joined();
        rig.Rejection = "The price is negative.";
        Publish(rig);

        Report report = rig.Host.All<Report>()[^1];
        Assert.Equal([new LevelRow(NodeRig.Topic, 1, 1, 0, 0)], report.Rows);
        Assert.Equal([new RejectionRow(NodeRig.Topic, 1, 1, "The price is negative.")], report.Rejections);
    }

    [Fact]
    public void A_report_has_the_newest_eight_rejections_of_an_application()
    {
        using NodeRig rig = Joined();
        rig.Rejection = "no";
        for (int i = 0; i < 10; i++)
        {
            Publish(rig);
        }

        Assert.Equal([3UL, 4, 5, 6, 7, 8, 9, 10], rig.Host.All<Report>()[^1].Rejections.Select(r => r.Release));
    }

    [Fact]
    public void A_report_that_did_not_fit_is_sent_when_there_is_room()
    {
        using NodeRig rig = Joined();
        rig.HoldsDecisions = true;
        Publish(rig);
        while (rig.Node.Link!.TrySend(new BodyRequest(1, default)))
        {
        }

        rig.Candidates[0].Decide("no");
        Assert.Empty(rig.Host.All<Report>());
        rig.Pump();

        Assert.Equal([new RejectionRow(NodeRig.Topic, 1, 1, "no")], rig.Host.Only<Report>().Rejections);
    }

    [Fact]
    public void A_proof_is_asked_for_and_given()
    {
        using NodeRig rig = Joined();
        rig.Send(new ProofRequest(NodeRig.Topic));
        rig.Send(new ProofRequest(NodeRig.Topic + 1));
        Assert.Empty(rig.Host.Types);

        Publish(rig);
        rig.Send(new ProofRequest(NodeRig.Topic));
        Proof proof = rig.Host.Only<Proof>();
        Assert.Equal(NodeRig.Topic, proof.Topic);
        Assert.Equal(_chain.Newest!.Encode(), proof.Header.ToArray());
        Assert.Equal(72, proof.Signature.Length);
        Assert.NotNull(ReleaseSignature.TryRead(proof.Signature.Span));
    }

    [Fact]
    public void A_proof_is_of_the_release_that_was_signed()
    {
        using NodeRig rig = Joined();
        byte[] one = _chain.Next(isSigned: false, ("a", "1"));
        byte[] two = _chain.Next(isSigned: true, 0, ("a", "2"));
        rig.Send(new CatchUpRelease(NodeRig.Topic, one));
        rig.Send(new CatchUpRelease(NodeRig.Topic, two));
        // The first is here, the value of the second is not: what is proved is the batch.
        Assert.Equal(1UL, rig.Replica.Received.Keys.Release);
        rig.Host.Forget();
        rig.Send(new ProofRequest(NodeRig.Topic));

        Assert.Equal(_chain.Newest!.Encode(), rig.Host.Only<Proof>().Header.ToArray());
    }

    private static NodeRig Joined() => new NodeRig().Join();

    private void Publish(NodeRig rig) => rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", $"{_chain.State.Release}"))));
}
