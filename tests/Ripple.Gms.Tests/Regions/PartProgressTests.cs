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
        partMembers: 3), madeNs: 100);

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
        _progress.OnRound(0, 0, 200);
        _progress.OnRound(0, 0, 300);
        _progress.OnRound(2, 0, 300);
        Assert.False(_progress.IsHeard);
        _progress.OnRound(1, 0, 300);
        Assert.True(_progress.IsHeard);
        Assert.Null(_progress.Floor);
    }

    [Fact]
    public void Rounds_are_counted_and_the_time_between_them_is_smoothed()
    {
        Assert.Equal(0, _progress.RoundsOf(1).Count);
        _progress.OnRound(1, 0, 1_000);
        Assert.Equal(new PartRounds(1, 0, 1_000, 0, 0), _progress.RoundsOf(1));
        _progress.OnRound(1, 2, 1_800);
        Assert.Equal(new PartRounds(2, 2, 1_800, 800, 0), _progress.RoundsOf(1));
        _progress.OnRound(1, 0, 1_800);
        Assert.Equal(new PartRounds(3, 0, 1_800, 700, 0), _progress.RoundsOf(1));
        Assert.Equal((0, 0), (_progress.RoundsOf(0).Count, _progress.RoundsOf(2).Count));
    }

    [Fact]
    public void Silent_positions_are_those_of_the_newest_round_of_each_part()
    {
        _progress.OnSilent(1, 4);
        _progress.OnSilent(1, 5);
        _progress.OnRound(1, 0, 200);
        _progress.OnSilent(2, 8);
        _progress.OnRound(2, 0, 200);
        Assert.Equal([4, 5], _progress.SilentOf(1).ToArray());
        Assert.Equal([8], _progress.SilentOf(2).ToArray());
        _progress.OnSilent(1, 5);
        _progress.OnRound(1, 0, 300);
        _progress.OnRound(2, 1, 300);
        Assert.Equal([5], _progress.SilentOf(1).ToArray());
        Assert.Empty(_progress.SilentOf(2).ToArray());
        Assert.Empty(_progress.SilentOf(0).ToArray());
    }

    [Fact]
    public void The_age_is_that_of_the_part_heard_longest_ago_and_a_part_never_heard_counts_from_the_view_on()
    {
        _progress.OnRound(0, 0, 500);
        _progress.OnRound(1, 0, 400);
        Assert.Equal(900, _progress.RoundAgeNsMax(1_000));
        _progress.OnRound(2, 0, 900);
        Assert.Equal(600, _progress.RoundAgeNsMax(1_000));
        Assert.Equal(0, new PartProgress(new RegionView(1, new ViewNumber(1, 1), []), 100).RoundAgeNsMax(1_000));
    }

    [Fact]
    public void A_round_allocates_nothing()
    {
        Tell(1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Tell(100);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());

        void Tell(int count)
        {
            for (int i = 0; i < count; i++)
            {
                _progress.OnSilent(1, 4);
                _progress.OnRound(1, 0, i);
            }
        }
    }
}
