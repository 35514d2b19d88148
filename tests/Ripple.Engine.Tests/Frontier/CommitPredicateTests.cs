using Ripple.Engine.Frontier;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Tests.Frontier;

public sealed class CommitPredicateTests
{
    [Fact]
    public void A_release_commits_when_every_replica_has_it_on_disk()
    {
        CommitPredicate commit = new("orders", 5, Replicas(3), replicasMin: 2);
        Assert.False(commit.OnPersisted(new NodeId(0, 1), 5, 4));
        Assert.False(commit.OnPersisted(new NodeId(0, 2), 5, 3));
        Assert.True(commit.OnPersisted(new NodeId(0, 3), 5, 9));
        Assert.Equal(3UL, commit.Committed);
        Assert.False(commit.OnPersisted(new NodeId(0, 2), 5, 2));
        Assert.True(commit.OnPersisted(new NodeId(0, 2), 5, 9));
        Assert.Equal(4UL, commit.Committed);
    }

    [Fact]
    public void Acknowledgements_of_other_epochs_and_strangers_are_ignored()
    {
        CommitPredicate commit = new("orders", 5, Replicas(1));
        Assert.False(commit.OnPersisted(new NodeId(0, 1), 4, 4));
        Assert.False(commit.OnPersisted(new NodeId(0, 1), 6, 4));
        Assert.False(commit.OnPersisted(new NodeId(0, 9), 5, 4));
        Assert.True(commit.OnPersisted(new NodeId(0, 1), 5, 4));
        Assert.Equal((4UL, 5u, 1), (commit.Committed, commit.SlotEpoch, commit.Replicas.Count));
    }

    [Fact]
    public void A_replica_set_that_is_not_as_agreed_is_refused()
    {
        Assert.Throws<ArgumentException>(() => new CommitPredicate("orders", 5, Replicas(1), replicasMin: 2));
        Assert.Throws<ArgumentException>(() => new CommitPredicate("orders", 5, [Tables.Member(1, "n1")]));
        Assert.Throws<ArgumentException>(() => new CommitPredicate("orders", 5, [.. Replicas(1), .. Replicas(1)]));
        Assert.Throws<ArgumentException>(() => new CommitPredicate("orders", 5, []));
    }

    private static FrontierMember[] Replicas(int count) =>
        [.. Enumerable.Range(1, count).Select(i => Tables.Member((ulong)i, $"h{i}", isHost: true, isReplica: true))];
}
