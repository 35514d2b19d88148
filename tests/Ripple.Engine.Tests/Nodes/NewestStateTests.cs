using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>Which release a node decides on: the newest that is known to come, and never one that it took back.</summary>
public sealed class NewestStateTests : IDisposable
{
    private readonly ReleaseChain _chain = new();
    private NodeRig _rig = new();

    private IEnumerable<ulong> Asked => _rig.Candidates.Select(c => c.State.Keys.Release);

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void What_was_released_while_the_node_was_away_is_not_decided_but_for_the_newest()
    {
        byte[][] missed = Make(70);
        JoinAt(70);
        foreach (byte[] message in missed)
        {
            Bring(message);
        }

        Assert.Equal([70UL], Asked);
        Assert.Equal(70UL, _rig.Replica.Levels.Received);
    }

    [Fact]
    public void What_comes_while_a_decision_is_under_way_is_one_candidate()
    {
        JoinAt(0);
        foreach (byte[] message in Make(300))
        {
            Bring(message);
        }

        Assert.Equal([1UL], Asked);
        Assert.Equal(1, _rig.Replica.CandidateCount);
        _rig.Candidates[0].Decide(null);
        Assert.Equal([1UL, 300UL], Asked);
        Assert.Equal(0, _rig.Replica.CandidateCount);
    }

    [Fact]
    public void While_a_newer_release_is_verified_the_one_before_is_not_decided()
    {
        JoinAt(0);
        _rig.Verifier.IsLate = true;
        foreach (byte[] message in Make(3))
        {
            Bring(message);
        }

        _rig.Verifier.Asked[0].Answer(true);
        _rig.Verifier.Asked[1].Answer(true);
        Assert.Equal(2UL, _rig.Replica.Levels.Received);
        Assert.Empty(Asked);
        _rig.Verifier.Asked[2].Answer(true);
        Assert.Equal([3UL], Asked);
    }

    [Fact]
    public void A_forged_successor_holds_up_nothing_but_its_own_verification()
    {
        JoinAt(0);
        byte[][] messages = Make(2);
        _rig.Verifier.IsLate = true;
        Bring(messages[0]);
        Bring(messages[1]);
        _rig.Verifier.Asked[0].Answer(true);
        Assert.Empty(Asked);

        _rig.Verifier.Asked[1].Answer(false);
        Assert.Equal([1UL], Asked);
    }

    [Fact]
    public void What_a_host_has_and_does_not_bring_is_not_waited_for_for_ever()
    {
        byte[][] missed = Make(3);
        JoinAt(3);
        Bring(missed[0]);
        KeepAlive(5);
        Bring(missed[1]);
        // What is brought gives more time to the rest.
        KeepAlive(8);
        Assert.Empty(Asked);

        KeepAlive(2);
        Assert.Equal([2UL], Asked);
        Bring(missed[2]);
        _rig.Candidates[0].Decide(null);
        Assert.Equal([2UL, 3UL], Asked);
    }

    [Fact]
    public void A_host_that_never_rests_does_not_keep_a_node_from_deciding()
    {
        byte[][] missed = Make(9);
        JoinAt(3);
        Bring(missed[0]);
        Tell(9);
        Bring(missed[1]);
        Assert.Empty(Asked);
        Bring(missed[2]);
        Assert.Equal([3UL], Asked);
    }

    [Fact]
    public void A_process_that_was_stopped_hears_its_host_before_it_decides_on_what_it_finds_in_its_buffers()
    {
        JoinAt(0);
        ulong stale = NextHeartbeat();
        // It stops; the host has answered before.
        _rig.Core.DoWork(_rig.Core.NowNs + (2_500 * NodeRig.MsNs));
        _rig.Pump();
        ulong fresh = _rig.Host.All<Heartbeat>()[^1].Sequence;
        _rig.Confirm(stale);
        byte[][] messages = Make(2);
        Bring(messages[0]);
        Assert.Empty(Asked);

        Bring(messages[1]);
        _rig.Confirm(fresh);
        Assert.Equal([2UL], Asked);
    }

    [Fact]
    public void An_answer_that_waited_while_a_process_was_stopped_does_not_make_its_host_heard()
    {
        JoinAt(0);
        ulong stale = NextHeartbeat();
        // It stops before it reads the answer, which comes first when it goes on: that this took long says nothing of the host.
        Assert.True(_rig.Core.Requests.TryPost(new ActionRequest(() => _rig.Confirm(stale))));
        _rig.Core.DoWork(_rig.Core.NowNs + (4_500 * NodeRig.MsNs));
        byte[][] messages = Make(2);
        Bring(messages[0]);
        Assert.Empty(Asked);

        _rig.Pump();
        Bring(messages[1]);
        _rig.Confirm(_rig.Host.All<Heartbeat>()[^1].Sequence);
        Assert.Equal([2UL], Asked);
    }

    [Fact]
    public void What_was_received_before_a_restart_is_decided_when_no_host_can_be_reached()
    {
        (ApplicationState good, ApplicationState bad) = TwoStates();
        _rig.Dispose();
        _rig = new NodeRig(new ReplicaSnapshot(good, bad), null, "one:1", "two:1") { HoldsDecisions = true };
        _rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody");
        Assert.Empty(Asked);
        _rig.Run(NodeRig.SecondNs);
        _rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody");

        Assert.Equal([2UL], Asked);
        Assert.Same(good, _rig.Replica.Applied);
    }

    [Fact]
    public void What_was_received_before_a_restart_is_superseded_by_what_the_host_brings()
    {
        (ApplicationState good, ApplicationState bad) = TwoStates();
        byte[] rollback = Make(1)[0];
        _rig.Dispose();
        _rig = new NodeRig(new ReplicaSnapshot(good, bad));
        JoinAt(3);
        Assert.Empty(Asked);
        Bring(rollback);

        Assert.Equal([3UL], Asked);
    }

    private (ApplicationState First, ApplicationState Second) TwoStates()
    {
        JoinAt(0);
        _rig.HoldsDecisions = false;
        foreach (byte[] message in Make(2))
        {
            Bring(message);
        }

        return (_rig.Applied[0], _rig.Applied[1]);
    }

    private byte[][] Make(int count) => [.. Enumerable.Range(0, count).Select(i => _chain.Next(("a", $"{_chain.State.Release}")))];

    private void JoinAt(ulong newest)
    {
        _rig.HoldsDecisions = true;
        _rig.Answer = _rig.Answer with { Topics = [Newest(newest)] };
        _rig.Join();
    }

    private void Tell(ulong newest) => _rig.Send(new StateVector([Newest(newest)]));

    private TopicState Newest(ulong release) => new(
        NodeRig.Application, NodeRig.Topic, 1, 1, release, release == 0 ? default : Headers.RandomDigest(new Random((int)release)));

    private void Bring(byte[] message) => _rig.Send(new CatchUpRelease(NodeRig.Topic, message));

    private ulong NextHeartbeat()
    {
        _rig.Run(NodeRig.SecondNs);
        _rig.Pump();
        return _rig.Host.All<Heartbeat>()[^1].Sequence;
    }

    /// <summary>Lets seconds go by in which the host answers, and has what it had.</summary>
    private void KeepAlive(int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            _rig.Run(NodeRig.SecondNs);
            _rig.Send(new HeartbeatReply(_rig.Host.All<Heartbeat>()[^1].Sequence, _rig.Answer.View.Number, NodeRig.NextSequence, default));
        }
    }
}
