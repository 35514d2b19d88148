using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>When a node asks a host to bring it forward: not before the stream had its time, and not for what it has.</summary>
public sealed class CatchUpTests : IDisposable
{
    private const long DelayNs = 300 * NodeRig.MsNs;
    private readonly ReleaseChain _chain = new();
    private readonly NodeRig _rig = new NodeRig().Join();

    private IReadOnlyList<CatchUpRequest> Asked => _rig.Host.All<CatchUpRequest>();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_join_that_tells_of_something_newer_is_given_300_ms_to_the_stream_then_the_host_is_asked()
    {
        using var rig = new NodeRig();
        rig.Answer = rig.Answer with { Topics = [new TopicState(NodeRig.Application, NodeRig.Topic, 1, 1, 5, Id(5))] };
        rig.Join();
        rig.Run(DelayNs - 1);
        Assert.Empty(rig.Host.All<CatchUpRequest>());

        rig.Run(1);
        Assert.Equal(new CatchUpRequest(NodeRig.Topic, 0, 0, default), rig.Host.Only<CatchUpRequest>());
        Assert.Equal(1, rig.Node.Counters.CatchUps);
    }

    [Fact]
    public void What_is_held_is_not_asked_for()
    {
        Take(("a", "1"));
        Tell(1, 1, _chain.State.Id);
        KeepAlive(10);

        Assert.Empty(Asked);
    }

    [Fact]
    public void The_same_number_with_another_content_is_asked_for()
    {
        Take(("a", "1"));
        Tell(1, 1, Id(1));
        _rig.Run(DelayNs);

        CatchUpRequest request = Assert.Single(Asked);
        // With the id of what is held: the host sees the fork by it.
        Assert.Equal(new CatchUpRequest(NodeRig.Topic, 1, 1, _chain.State.Id), request);
    }

    [Fact]
    public void Another_generation_is_asked_for_though_its_number_is_lower()
    {
        Take(("a", "1"));
        Take(("a", "2"));
        Tell(2, 1, Id(1));
        _rig.Run(DelayNs);

        Assert.Equal((1U, 2UL), (Assert.Single(Asked).Generation, Assert.Single(Asked).Release));
    }

    [Fact]
    public void An_application_without_releases_misses_nothing()
    {
        Tell(1, 0, default);
        _rig.Run(DelayNs);

        Assert.Empty(Asked);
    }

    [Fact]
    public void What_the_stream_brought_in_time_is_not_asked_for()
    {
        Tell(1, 1, Id(1));
        _rig.Run(DelayNs / 2);
        Take(("a", "1"));
        KeepAlive(3);

        Assert.Empty(Asked);
    }

    [Fact]
    public void A_stream_that_moves_is_left_its_time_and_asked_for_when_it_stops()
    {
        Tell(1, 3, Id(3));
        for (int i = 0; i < 2; i++)
        {
            _rig.Run(DelayNs - NodeRig.MsNs);
            Take(("a", $"{i}"));
            _rig.Run(NodeRig.MsNs);
            Assert.Empty(Asked);
        }

        _rig.Run(DelayNs);
        Assert.Equal(2UL, Assert.Single(Asked).Release);
    }

    [Fact]
    public void A_host_that_does_not_help_is_asked_at_doubling_distances_up_to_eight_seconds()
    {
        Tell(1, 1, Id(1));
        var at = new List<long>();
        long beganNs = _rig.Core.NowNs;
        while (_rig.Core.NowNs < beganNs + (40 * NodeRig.SecondNs))
        {
            int before = Asked.Count;
            _rig.Run(100 * NodeRig.MsNs);
            if (Asked.Count > before)
            {
                at.Add((_rig.Core.NowNs - beganNs) / NodeRig.MsNs);
            }

            _rig.Refute();
        }

        // Distances of 300, 600, 1,200, 2,400, 4,800 and then 8,000 ms.
        Assert.Equal([300, 900, 2_100, 4_500, 9_300, 17_300, 25_300, 33_300], at);
    }

    [Fact]
    public void After_it_was_brought_forward_the_delay_is_short_again()
    {
        Tell(1, 1, Id(1));
        _rig.Run(10 * DelayNs);
        Take(("a", "1"));
        KeepAlive(10);
        _rig.Host.Forget();

        Tell(1, 2, Id(2));
        _rig.Run(DelayNs);
        Assert.Equal(1UL, Assert.Single(Asked).Release);
    }

    [Fact]
    public void The_end_of_what_a_host_sent_says_what_is_to_be_held()
    {
        Tell(1, 3, Id(3));
        _rig.Run(DelayNs);
        _rig.Host.Forget();
        // The host goes by what is committed now: nothing above release 1 is missed.
        _rig.Send(new CatchUpEnd(NodeRig.Topic, 1, 1));
        Take(("a", "1"));
        KeepAlive(10);
        Assert.Empty(Asked);

        Tell(1, 2, Id(2));
        _rig.Run(DelayNs);
        Assert.Single(Asked);
    }

    [Fact]
    public void A_gap_between_releases_is_asked_for()
    {
        _chain.Next(("a", "1"));
        _rig.ReceiveMessage(100, _chain.Next(("a", "2")));
        _rig.Run(DelayNs - 1);
        Assert.Empty(Asked);

        _rig.Run(1);
        Assert.Equal(new CatchUpRequest(NodeRig.Topic, 0, 0, default), Assert.Single(Asked));
    }

    [Fact]
    public void A_release_that_closes_the_gap_ends_the_matter()
    {
        byte[] one = _chain.Next(("a", "1"));
        _rig.ReceiveMessage(100, _chain.Next(("a", "2")));
        _rig.Run(DelayNs / 2);
        _rig.ReceiveMessage(101, one);
        KeepAlive(3);

        Assert.Equal(2UL, _rig.Replica.Applied.Keys.Release);
        Assert.Empty(Asked);
    }

    [Fact]
    public void What_a_forgery_displaced_is_asked_for()
    {
        _rig.ReceiveMessage(100, [1, 2, 3]);
        Assert.Equal(1, _rig.Node.Counters.Forged);
        _rig.Run(DelayNs);

        Assert.Single(Asked);
    }

    [Fact]
    public void A_connection_that_is_gone_ends_what_was_missed_and_the_next_join_says_anew()
    {
        Tell(1, 1, Id(1));
        _rig.Break("cut");
        _rig.Run(NodeRig.SecondNs);
        _rig.Host.Forget();
        _rig.Join();
        _rig.Run(NodeRig.SecondNs);

        Assert.Empty(Asked);
        Tell(1, 1, Id(1));
        _rig.Run(DelayNs);
        Assert.Single(Asked);
    }

    [Fact]
    public void A_request_that_found_no_room_is_not_counted_and_made_again_later()
    {
        Tell(1, 1, Id(1));
        while (_rig.Node.Link!.TrySend(new BodyRequest(1, default)))
        {
        }

        long dueNs = _rig.Core.NowNs + DelayNs;
        while (_rig.Core.NowNs < dueNs)
        {
            _rig.Core.DoWork(Math.Min(dueNs, _rig.Core.NextDueNs));
        }

        Assert.Equal(0, _rig.Node.Counters.CatchUps);
        _rig.Pump();
        _rig.Run(2 * DelayNs);
        Assert.Equal(1, _rig.Node.Counters.CatchUps);
        Assert.Single(Asked);
    }

    private static Digest160 Id(int number) => Headers.RandomDigest(new Random(number));

    private void Tell(uint generation, ulong release, Digest160 id) =>
        _rig.Send(new StateVector([new TopicState(NodeRig.Application, NodeRig.Topic, generation, 1, release, id)]));

    private void Take(params (string Key, string Value)[] values) => _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(values)));

    /// <summary>Lets seconds go by in which the host answers heartbeats.</summary>
    private void KeepAlive(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Confirm();
        }
    }
}
