using Ripple.Engine.Regions;
using Ripple.Gms.Regions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A floor is the least over all parts of one view, and is not known before all have told theirs.</summary>
public sealed class PartProgressTests
{
    private readonly PartProgress _progress = new(new RegionView(
        1,
        new ViewNumber(1, 1),
        Enumerable.Range(1, 9).Select(i => new RegionMember((uint)i, new NodeId(1, (ulong)i), 1, default, default)),
        partMembers: 3));

    [Fact]
    public void There_is_no_floor_while_a_part_has_told_nothing()
    {
        _progress.OnContiguous(0, 10);
        _progress.OnContiguous(2, 5);
        Assert.Equal((5ul, null), (_progress.Least, _progress.Floor));
        _progress.OnContiguous(1, 7);
        Assert.Equal(5ul, _progress.Floor);
        _progress.OnContiguous(2, 9);
        Assert.Equal(7ul, _progress.Floor);
    }

    [Fact]
    public void The_newest_word_of_a_part_counts_though_it_is_lower()
    {
        _progress.OnContiguous(0, 10);
        _progress.OnContiguous(1, 10);
        _progress.OnContiguous(0, 4);
        _progress.OnContiguous(2, 10);
        Assert.Equal(4ul, _progress.Floor);
    }

    [Fact]
    public void A_view_is_heard_when_each_part_told_a_round_also_of_no_stream()
    {
        _progress.OnRound(0);
        _progress.OnRound(0);
        _progress.OnRound(2);
        Assert.False(_progress.IsHeard);
        _progress.OnRound(1);
        Assert.True(_progress.IsHeard);
        Assert.Null(_progress.Floor);
    }
}
