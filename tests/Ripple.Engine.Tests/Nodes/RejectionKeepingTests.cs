using Ripple.Engine.Frontier;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>What a node that rejects keeps, over restarts, and whom it tells.</summary>
public sealed class RejectionKeepingTests : IDisposable
{
    private readonly ReleaseChain _chain = new();
    private NodeRig _rig = new() { Saves = true };

    private LevelRow Levels => _rig.Replica.Levels;

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void A_node_that_rejected_its_first_release_saves_it_as_received_and_tells_that_it_is_persisted()
    {
        _rig.Rejection = "no";
        _rig.Join();
        Bring("1");

        ReplicaSnapshot saved = Assert.Single(_rig.Saving).Snapshot;
        Assert.Equal((0UL, 1UL), (saved.Applied.Keys.Release, saved.Received.Keys.Release));
        Assert.Equal((1UL, "no"), (saved.Rejections[0].Release, saved.Rejections[0].Reason));
        _rig.Saving[0].Done(true);
        Assert.Equal((1UL, 1UL, 0UL), (Levels.Received, Levels.Persisted, Levels.Applied));
        Assert.Single(_rig.Saving);
    }

    [Fact]
    public void A_rejected_release_never_takes_the_place_of_the_last_good_one_on_the_disk()
    {
        _rig.Join();
        Bring("1");
        _rig.Saving[0].Done(true);
        _rig.Rejection = "no";
        Bring("2");
        Bring("3");
        _rig.Saving[1].Done(true);

        Assert.All(_rig.Saving, s => Assert.Equal(1UL, s.Snapshot.Applied.Keys.Release));
        Assert.Equal([2UL, 3UL], _rig.Saving[^1].Snapshot.Rejections.Select(r => r.Release));
    }

    [Fact]
    public void What_is_rejected_before_the_first_join_reaches_the_host_after_it()
    {
        ReplicaSnapshot saved = Reject();
        _rig = new NodeRig(saved) { Rejection = "still no" };
        // It stands on the disk; until it is judged again nobody is told.
        Assert.Equal(0UL, _rig.Replica.RejectedRelease);
        _rig.Connector.Fail(LinkConnectFailure.Unreachable, "nobody");
        Assert.Equal((2UL, 0U), (_rig.Replica.RejectedRelease, _rig.Replica.Rejections[^1].Topic));
        _rig.Run(NodeRig.SecondNs);
        _rig.Join();
        _rig.Pump();

        RejectionRow told = Assert.Single(_rig.Host.All<Report>()[^1].Rejections);
        Assert.Equal(new RejectionRow(NodeRig.Topic, 1, 2, "still no"), told);
        Assert.Equal((2UL, 1UL), (Levels.Received, Levels.Applied));
    }

    [Fact]
    public void What_was_rejected_before_a_restart_and_is_mended_takes_effect()
    {
        _rig = new NodeRig(Reject()).Join();

        Assert.Equal([2UL], _rig.Applied.Select(s => s.Keys.Release));
        Assert.Empty(_rig.Replica.Rejections);
    }

    [Fact]
    public void Nothing_is_decided_and_nothing_told_as_applied_before_the_validators_exist()
    {
        ReplicaSnapshot saved = Reject();
        _rig = new NodeRig(saved, Held()).Join();
        Bring("3");
        _rig.Run(20 * NodeRig.SecondNs);
        Assert.Equal((3UL, 2UL, 0UL), (Levels.Received, Levels.Persisted, Levels.Applied));
        Assert.Equal(1UL, _rig.Replica.Applied.Keys.Release);
        Assert.Empty(_rig.Applied);

        _rig.Replica.JudgeRestored(null);
        Assert.Equal(1UL, Levels.Applied);
        _rig.Replica.BeginDeciding();
        Assert.Equal([3UL], _rig.Applied.Select(s => s.Keys.Release));
    }

    [Fact]
    public void A_restored_state_that_the_validators_reject_now_is_not_in_effect_and_stays_on_the_disk()
    {
        ReplicaSnapshot saved = Reject();
        _rig = new NodeRig(saved, Held()) { Saves = true, Rejection = "nor this" }.Join();
        _rig.Replica.JudgeRestored("no more");
        _rig.Replica.BeginDeciding();

        Assert.Equal(0UL, _rig.Replica.Applied.Keys.Release);
        Assert.Equal(0UL, Levels.Applied);
        Assert.Equal([(1UL, "no more"), (2UL, "nor this")], _rig.Replica.Rejections.Select(r => (r.Release, r.Reason)));
        Assert.Equal(1UL, _rig.Saving[^1].Snapshot.Applied.Keys.Release);
    }

    private static NodeOptions Held() => new() { Application = NodeRig.Application, HoldsDecisions = true };

    /// <summary>A process accepts a release, rejects the next one, and ends.</summary>
    private ReplicaSnapshot Reject()
    {
        _rig.Join();
        Bring("1");
        _rig.Saving[0].Done(true);
        _rig.Rejection = "no";
        Bring("2");
        ReplicaSnapshot saved = _rig.Saving[1].Snapshot;
        Assert.Equal((1UL, 2UL), (saved.Applied.Keys.Release, saved.Received.Keys.Release));
        _rig.Dispose();
        return saved;
    }

    private void Bring(string value) => _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", value))));
}
