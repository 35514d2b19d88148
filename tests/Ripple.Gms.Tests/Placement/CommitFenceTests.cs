using Ripple.Gms.Placement;

namespace Ripple.Gms.Tests.Placement;

/// <summary>An acknowledgement counts in the epoch that its batch was asked in, and in no other.</summary>
public sealed class CommitFenceTests
{
    private readonly CommitFence _fence = new("shop", epoch => LocalReplica.Member("host", "east", epoch));

    [Fact]
    public void Nothing_is_committed_before_an_epoch_is_entered() => Assert.False(_fence.OnPersisted(1, 1));

    [Fact]
    public void An_acknowledgement_of_an_epoch_that_ended_or_did_not_begin_is_refused()
    {
        _fence.Enter(5);
        Assert.True(_fence.OnPersisted(5, 1));
        Assert.False(_fence.OnPersisted(6, 2));
        _fence.Enter(6);
        Assert.False(_fence.OnPersisted(5, 2));
        Assert.True(_fence.OnPersisted(6, 2));
        Assert.Equal(6u, _fence.SlotEpoch);
    }

    [Fact]
    public void Entering_the_same_epoch_again_forgets_nothing()
    {
        _fence.Enter(5);
        Assert.True(_fence.OnPersisted(5, 3));
        _fence.Enter(5);
        Assert.False(_fence.OnPersisted(5, 3));
    }
}
