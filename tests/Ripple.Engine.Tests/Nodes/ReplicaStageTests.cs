using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>The stages of a release at a node: received, decided, applied, persisted; and what a new generation ends.</summary>
public sealed class ReplicaStageTests : IDisposable
{
    private readonly ReleaseChain _chain = new();
    private readonly NodeRig _rig = new NodeRig { Saves = true }.Join();

    private LevelRow Levels => _rig.Replica.Levels;

    public void Dispose() => _rig.Dispose();

    [Fact]
    public void What_is_told_as_persisted_is_what_was_saved_and_not_what_came_meanwhile()
    {
        Publish();
        Publish();
        Assert.Equal(1UL, Assert.Single(_rig.Saving).Snapshot.Received.Keys.Release);
        Assert.Equal((2UL, 0UL, 2UL), (Levels.Received, Levels.Persisted, Levels.Applied));

        _rig.Saving[0].Done(true);
        Assert.Equal((2UL, 1UL, 2UL), (Levels.Received, Levels.Persisted, Levels.Applied));
        // What came meanwhile is saved next.
        Assert.Equal(2UL, _rig.Saving[1].Snapshot.Received.Keys.Release);
        _rig.Saving[1].Done(true);
        Assert.Equal(2UL, Levels.Persisted);
        Assert.Equal(2, _rig.Saving.Count);
    }

    [Fact]
    public void What_came_while_a_save_was_under_way_is_saved_together()
    {
        for (int i = 0; i < 5; i++)
        {
            Publish();
        }

        _rig.Saving[0].Done(true);
        Assert.Equal([1UL, 5UL], _rig.Saving.Select(s => s.Snapshot.Received.Keys.Release));
    }

    [Fact]
    public void A_save_that_failed_is_not_told_as_persisted()
    {
        Publish();
        _rig.Saving[0].Done(false);

        Assert.Equal(0UL, Levels.Persisted);
        Publish();
        Assert.Equal(2, _rig.Saving.Count);
    }

    [Fact]
    public void What_could_not_be_saved_is_saved_again_ever_more_seldom_until_it_is()
    {
        Publish();
        for (int i = 0; i < 8; i++)
        {
            int before = _rig.Saving.Count;
            _rig.Saving[^1].Done(false);
            _rig.Run((Math.Min(1L << i, 64) * 1_000_000_000) - 1_000_000);
            Assert.Equal(before, _rig.Saving.Count);
            _rig.Run(2_000_000);
            Assert.Equal(before + 1, _rig.Saving.Count);
        }

        _rig.Saving[^1].Done(true);
        int saved = _rig.Saving.Count;
        _rig.Run(100_000_000_000);
        Assert.Equal(saved, _rig.Saving.Count);
        Assert.Equal(1UL, Levels.Persisted);
    }

    [Fact]
    public void A_node_that_is_gone_saves_nothing_again()
    {
        Publish();
        _rig.Node.Dispose();
        _rig.Saving[0].Done(false);
        _rig.Run(2_000_000_000);
        Assert.Single(_rig.Saving);
    }

    [Fact]
    public void A_candidate_is_offered_after_the_one_before_was_decided()
    {
        _rig.HoldsDecisions = true;
        Publish();
        Publish();
        Assert.Single(_rig.Candidates);
        Assert.Equal((2UL, 0UL), (Levels.Received, Levels.Applied));

        _rig.Candidates[0].Decide(null);
        Assert.Equal([1UL, 2UL], _rig.Candidates.Select(c => c.State.Keys.Release));
        Assert.Equal(1UL, Levels.Applied);
        _rig.Candidates[1].Decide("no");
        Assert.Equal(1UL, Levels.Applied);
        Assert.Equal(2UL, _rig.Replica.RejectedRelease);
    }

    [Fact]
    public void A_generation_that_begins_ends_the_rejections_of_the_one_before()
    {
        _rig.Rejection = "no";
        Publish();
        Assert.Single(_rig.Replica.Rejections);
        _rig.Rejection = null;
        BeginGeneration(2);

        Assert.Equal((2U, 1UL), (Levels.Generation, Levels.Applied));
        Assert.Empty(_rig.Replica.Rejections);
        Assert.Equal(0UL, _rig.Replica.RejectedRelease);
    }

    [Fact]
    public void A_generation_that_begins_ends_the_candidates_of_the_one_before()
    {
        _rig.HoldsDecisions = true;
        Publish();
        Publish();
        Publish();
        BeginGeneration(2);
        _rig.Candidates[0].Decide(null);

        // Releases 2 and 3 of the first generation are not offered any more.
        Assert.Equal([(1U, 1UL), (2U, 1UL)], _rig.Candidates.Select(c => (c.State.Keys.Generation, c.State.Keys.Release)));
        Assert.Equal(0UL, Levels.Applied);
        _rig.Candidates[1].Decide(null);
        Assert.Equal((2U, 1UL), (Levels.Generation, Levels.Applied));
    }

    [Fact]
    public void A_decision_on_the_generation_before_is_no_rejection_in_the_new_one()
    {
        _rig.HoldsDecisions = true;
        Publish();
        BeginGeneration(2);
        _rig.Candidates[0].Decide("no");

        Assert.Empty(_rig.Replica.Rejections);
    }

    [Fact]
    public void What_was_saved_of_the_generation_before_is_not_told_as_persisted_in_the_new_one()
    {
        Publish();
        Publish();
        _rig.Saving[0].Done(true);
        _rig.Saving[1].Done(true);
        Assert.Equal(2UL, Levels.Persisted);
        BeginGeneration(2);

        Assert.Equal((2U, 0UL), (Levels.Generation, Levels.Persisted));
        _rig.Saving[^1].Done(true);
        Assert.Equal(1UL, Levels.Persisted);
    }

    private void Publish() => _rig.Send(new CatchUpRelease(NodeRig.Topic, _chain.Next(("a", $"{_chain.State.Release}"))));

    private void BeginGeneration(uint generation) => new SnapshotParts(generation, 1, ("b", "")).SendTo(_rig);
}
