using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Heartbeats of a joined node, and what it makes of the answers.</summary>
public sealed class NodeHeartbeatTests
{
    private static Digest160 NothingHeld => NodeRig.DigestOf(0, 0, default);

    [Fact]
    public void Heartbeats_come_as_often_as_the_host_said_with_view_and_levels()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Send(new CatchUpRelease(NodeRig.Topic, new ReleaseChain().Next(("a", "1"))));
        rig.Run(3 * NodeRig.SecondNs);

        IReadOnlyList<Heartbeat> heartbeats = rig.Host.All<Heartbeat>();
        Assert.Equal([1UL, 2, 3], heartbeats.Select(h => h.Sequence));
        Assert.All(heartbeats, h => Assert.Equal(new ViewNumber(1, 10), h.View));
        Assert.Equal([new LevelRow(NodeRig.Topic, 1, 1, 0, 1)], heartbeats[0].Rows);
    }

    [Fact]
    public void A_heartbeat_tells_what_changed_since_the_one_before_and_the_first_of_a_connection_all()
    {
        using NodeRig rig = new NodeRig().Join();
        var chain = new ReleaseChain();
        rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(("a", "1"))));
        rig.Run(2 * NodeRig.SecondNs);
        rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(("a", "2"))));
        rig.Run(2 * NodeRig.SecondNs);
        LevelRow first = new(NodeRig.Topic, 1, 1, 0, 1);
        LevelRow second = new(NodeRig.Topic, 1, 2, 0, 2);
        Assert.Equal<IReadOnlyList<LevelRow>>([[first], [], [second], []], rig.Host.All<Heartbeat>().Select(h => h.Rows));

        rig.Break("cut");
        rig.Run(NodeRig.SecondNs);
        rig.Host.Forget();
        rig.Join().Run(2 * NodeRig.SecondNs);
        Assert.Equal<IReadOnlyList<LevelRow>>([[second], []], rig.Host.All<Heartbeat>().Select(h => h.Rows));
    }

    [Fact]
    public void Heartbeats_do_not_come_faster_than_each_ten_milliseconds_whatever_a_host_says()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { HeartbeatMs = 0 };
        rig.Join();
        rig.Run(100 * NodeRig.MsNs);

        Assert.Equal(10, rig.Host.All<Heartbeat>().Count);
    }

    [Fact]
    public void Where_answers_are_late_each_heartbeat_comes_an_eighth_later_than_the_one_before_at_most()
    {
        using NodeRig rig = new NodeRig().Join();
        var sentNs = new List<long>();
        for (int sinceMs = 0; sentNs.Count < 12; sinceMs += 10)
        {
            Assert.True(sinceMs < 30_000, "there are too few heartbeats");
            rig.Run(10 * NodeRig.MsNs);
            if (rig.Host.All<Heartbeat>().Count > sentNs.Count)
            {
                sentNs.Add(rig.Core.NowNs);
                sinceMs = 0;
            }

            int answerMs = sentNs.Count < 10 ? 900 : 10;
            if (sinceMs == answerMs && sentNs.Count > 0)
            {
                rig.Confirm((ulong)sentNs.Count);
            }
        }

        double[] distances = [.. sentNs.Zip(sentNs.Skip(1), (a, b) => (b - a) / 1e9)];
        double expected = 1;
        foreach (double distance in distances[..9])
        {
            Assert.InRange(distance, expected - 0.02, expected + 0.02);
            expected = Math.Min(1.8, expected * 9 / 8);
        }

        // And at once as often as before where they come soon.
        Assert.InRange(distances[^1], 0.98, 1.02);
    }

    [Fact]
    public void Heartbeats_of_a_new_connection_count_on()
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Run(2 * NodeRig.SecondNs);
        rig.Break("cut");
        rig.Run(NodeRig.SecondNs);
        rig.Host.Forget();
        rig.Join().Run(NodeRig.SecondNs);

        Assert.Equal(3UL, rig.Host.Only<Heartbeat>().Sequence);
    }

    [Theory]
    [InlineData(1_000, 4)]
    [InlineData(2_000, 8)]
    public void A_host_that_answers_no_heartbeat_is_left_for_the_next(uint heartbeatMs, int silenceSeconds)
    {
        using var rig = new NodeRig(null, "one:1", "two:2");
        rig.Answer = rig.Answer with { HeartbeatMs = heartbeatMs };
        rig.Join();
        rig.Run(silenceSeconds * NodeRig.SecondNs);
        Assert.Empty(rig.Disconnects);

        // Looked at with each heartbeat.
        rig.Run(heartbeatMs * NodeRig.MsNs);
        Assert.Equal([("the host does not answer heartbeats", false)], rig.Disconnects);
        Assert.Single(rig.Host.Ends);
        rig.Run(NodeRig.SecondNs);
        Assert.Equal("two:2", rig.Connector.Attempts[^1].Endpoint);
    }

    [Fact]
    public void A_host_that_answers_is_kept()
    {
        using NodeRig rig = new NodeRig().Join();
        for (int i = 0; i < 20; i++)
        {
            rig.Run(NodeRig.SecondNs);
            rig.Send(new HeartbeatReply((ulong)i + 1, rig.Answer.View.Number, NodeRig.NextSequence, NothingHeld));
        }

        Assert.Empty(rig.Disconnects);
        Assert.Equal(20, rig.Host.All<Heartbeat>().Count);
    }

    [Fact]
    public void A_digest_of_the_same_confirms_that_nothing_is_missed()
    {
        using NodeRig rig = new NodeRig().Join();
        int confirmed = 0;
        rig.Node.OnConfirmed = () => confirmed++;
        rig.Send(new HeartbeatReply(1, rig.Answer.View.Number, NodeRig.NextSequence, NothingHeld));

        Assert.Equal(1, confirmed);
        Assert.Empty(rig.Host.Types);
    }

    [Fact]
    public void A_digest_of_anything_else_has_the_node_ask_what_there_is()
    {
        using NodeRig rig = new NodeRig().Join();
        int confirmed = 0;
        rig.Node.OnConfirmed = () => confirmed++;
        rig.Send(new HeartbeatReply(1, rig.Answer.View.Number, NodeRig.NextSequence, default));

        Assert.Equal(0, confirmed);
        Assert.Equal([MessageType.StateVectorRequest], rig.Host.Types);
    }

    [Fact]
    public void The_digest_is_of_what_was_received_last()
    {
        using NodeRig rig = new NodeRig().Join();
        var chain = new ReleaseChain();
        rig.Send(new CatchUpRelease(NodeRig.Topic, chain.Next(("a", "1"))));
        int confirmed = 0;
        rig.Node.OnConfirmed = () => confirmed++;
        Digest160 held = NodeRig.DigestOf(1, 1, chain.State.Id);
        rig.Send(new HeartbeatReply(1, rig.Answer.View.Number, NodeRig.NextSequence, held));

        Assert.Equal(1, confirmed);
    }

    [Theory]
    [InlineData(9, 0)]
    [InlineData(10, 0)]
    [InlineData(11, 1)]
    public void A_view_of_the_host_that_is_newer_is_asked_for(uint counter, int asked)
    {
        using NodeRig rig = new NodeRig().Join();
        rig.Send(new HeartbeatReply(1, new ViewNumber(1, counter), NodeRig.NextSequence, NothingHeld));

        Assert.Equal(asked, rig.Host.All<ViewRequest>().Count);
        Assert.All(rig.Host.All<ViewRequest>(), r => Assert.Equal(rig.Answer.View.RegionId, r.RegionId));
    }
}
