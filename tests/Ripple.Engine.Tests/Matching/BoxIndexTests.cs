using Ripple.Engine.Matching;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Tests.Matching;

public sealed class BoxIndexTests
{
    private readonly AttributeSpace _space = new(Dimension.Real("speed", 0, 130, "km/h"), Dimension.Integer("lane", 0, 4));
    private readonly BoxMatches _matches = new();

    [Fact]
    public void A_range_has_its_beginning_and_not_its_end()
    {
        BoxIndex index = Create();
        BoxId id = Add(index, Speed(50, 80));

        Assert.Empty(Match(index, Math.BitDecrement(50), 0));
        Assert.Equal([id], Match(index, 50, 0));
        Assert.Equal([id], Match(index, Math.BitDecrement(80), 3));
        Assert.Empty(Match(index, 80, 0));
    }

    [Fact]
    public void A_box_without_ranges_has_every_event()
    {
        BoxIndex index = Create();
        BoxId id = Add(index);

        Assert.Equal([id], Match(index, 0, 0));
        Assert.Equal([id], Match(index, Math.BitDecrement(130), 3));
    }

    [Fact]
    public void An_event_has_to_be_in_all_ranges_of_a_box()
    {
        BoxIndex index = Create();
        BoxId id = Add(index, Speed(50, 80), Lane(1, 3));

        Assert.Equal([id], Match(index, 60, 2));
        Assert.Empty(Match(index, 60, 3));
        Assert.Empty(Match(index, 60, 0));
        Assert.Empty(Match(index, 90, 1));
    }

    [Fact]
    public void Both_zeros_are_one_value()
    {
        var space = new AttributeSpace(Dimension.Real("x", -1, 1));
        var index = new BoxIndex(space, new BoxIndexOptions());
        Assert.True(space.TryMakeBox([new NamedRange("x", AttributeValue.Real(0.0), AttributeValue.Real(1))], out Box? box, out _));
        Assert.True(index.TryAdd(box, out _));
        var point = new Point(space);
        Assert.True(space.TrySetPoint([new NamedValue("x", AttributeValue.Real(-0.0))], point, out _));

        index.Match(point, _matches);

        Assert.Equal(1, _matches.Indexes.Length);
    }

    [Fact]
    public void Equal_boxes_are_found_each()
    {
        BoxIndex index = Create();
        BoxId[] ids = [.. Enumerable.Range(0, 700).Select(_ => Add(index, Speed(10, 20)))];

        Assert.Equal(700, ids.Distinct().Count());
        Assert.Equal(ids.OrderBy(i => i.Index), Match(index, 15, 1).OrderBy(i => i.Index));
    }

    [Fact]
    public void The_id_of_a_removed_box_removes_nothing_when_another_box_has_its_place()
    {
        BoxIndex index = Create();
        BoxId old = Add(index, Speed(10, 20));
        Assert.True(index.Remove(old));
        BoxId next = Add(index, Speed(15, 30));

        Assert.Equal(old.Index, next.Index);
        Assert.NotEqual(old, next);
        Assert.False(index.Remove(old));
        Assert.Equal([next], Match(index, 18, 0));
    }

    [Fact]
    public void Ids_that_no_index_gave_remove_nothing()
    {
        BoxIndex index = Create();
        Add(index);

        Assert.False(index.Remove(default));
        Assert.False(index.Remove(new BoxId(-1, 1)));
        Assert.False(index.Remove(new BoxId(-300, 1)));
        Assert.False(index.Remove(new BoxId(int.MaxValue, 1)));
        Assert.False(index.Remove(new BoxId(1, 0)));
        Assert.Equal(1, index.Count);
    }

    [Fact]
    public void A_full_index_takes_a_box_again_when_one_went()
    {
        BoxIndex index = Create(boxesMax: 2);
        BoxId id = Add(index);
        Add(index);
        Assert.True(_space.TryMakeBox([], out Box? box, out _));

        Assert.False(index.TryAdd(box, out _));
        Assert.True(index.Remove(id));
        Assert.True(index.TryAdd(box, out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5_000)]
    [InlineData(40_000)]
    public void An_index_takes_no_more_memory_than_its_budget_says(int boxes)
    {
        var options = new BoxIndexOptions { BoxesMax = boxes };
        var index = new BoxIndex(_space, options);
        ulong state = 1;
        for (int i = 0; i < boxes; i++)
        {
            state = (state * 6_364_136_223_846_793_005) + 1_442_695_040_888_963_407;
            double from = state % 120;
            Add(index, Speed(from, from + 1 + ((state >> 32) % 9)), Lane((long)(state >> 40) % 3, 3));
        }

        var budget = new MemoryBudget();
        BoxIndex.AddMemory(budget, _space, options);

        Assert.InRange(index.Bytes, 1, budget.BytesOf(MemoryKind.Retained, 0, 0, 1) + budget.BytesOf(MemoryKind.Fixed, 0, 0, 1));
    }

    [Fact]
    public void Events_and_boxes_of_another_space_are_refused()
    {
        var other = new AttributeSpace(Dimension.Integer("lane", 0, 4));
        BoxIndex index = Create();
        Assert.True(other.TryMakeBox([], out Box? box, out _));

        Assert.Throws<ArgumentException>(() => index.TryAdd(box, out _));
        Assert.Throws<ArgumentException>(() => index.Match(new Point(other), _matches));
        Assert.Throws<ArgumentException>(() => index.Match(new Point(_space), _matches));
    }

    [Fact]
    public void A_place_without_a_box_has_no_id()
    {
        BoxIndex index = Create();
        Assert.Throws<ArgumentOutOfRangeException>(() => index.IdOf(0));
        BoxId id = Add(index);

        Assert.Equal(id, index.IdOf(id.Index));
        Assert.Throws<ArgumentOutOfRangeException>(() => index.IdOf(id.Index + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => index.IdOf(-1));
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    [InlineData(BoxIndexOptions.BoxesLimit + 1, 1)]
    [InlineData(1, BoxIndexOptions.BucketsLimit + 1)]
    public void Bounds_outside_of_theirs_are_refused(int boxesMax, int bucketsMax) =>
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new BoxIndex(_space, new BoxIndexOptions { BoxesMax = boxesMax, BucketsMax = bucketsMax }));

    private static NamedRange Speed(double from, double to) => new("speed", AttributeValue.Real(from), AttributeValue.Real(to));

    private static NamedRange Lane(long from, long to) => new("lane", AttributeValue.Integer(from), AttributeValue.Integer(to));

    private BoxIndex Create(int boxesMax = 1_000) => new(_space, new BoxIndexOptions { BoxesMax = boxesMax });

    private BoxId Add(BoxIndex index, params NamedRange[] ranges)
    {
        Assert.True(_space.TryMakeBox(ranges, out Box? box, out string reason), reason);
        Assert.True(index.TryAdd(box, out BoxId id));
        return id;
    }

    private BoxId[] Match(BoxIndex index, double speed, long lane)
    {
        var point = new Point(_space);
        Assert.True(_space.TrySetPoint(
            [new NamedValue("lane", AttributeValue.Integer(lane)), new NamedValue("speed", AttributeValue.Real(speed))],
            point,
            out string reason), reason);
        index.Match(point, _matches);
        return [.. _matches.Indexes.ToArray().Select(index.IdOf)];
    }
}
