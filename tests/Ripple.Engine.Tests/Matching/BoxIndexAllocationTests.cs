using Ripple.Engine.Matching;

namespace Ripple.Engine.Tests.Matching;

[Collection(nameof(Alone))]
public sealed class BoxIndexAllocationTests
{
    [Fact]
    public void Events_and_changes_allocate_nothing_once_warm()
    {
        var space = new AttributeSpace(Dimension.Real("x", 0, 100), Dimension.Integer("y", 0, 100));
        var index = new BoxIndex(space, new BoxIndexOptions { BoxesMax = 2_000 });
        Box[] boxes = [.. Enumerable.Range(0, 2_000).Select(i => MakeBox(space, i % 90, i % 70))];
        BoxId[] ids = [.. boxes.Select(b => index.TryAdd(b, out BoxId id) ? id : default)];
        NamedValue[] values = [new("x", AttributeValue.Real(40)), new("y", AttributeValue.Integer(30))];
        var point = new Point(space);
        var matches = new BoxMatches();

        long bytes = Allocation.Of(() =>
        {
            for (int i = 0; i < 500; i++)
            {
                values[0] = new NamedValue("x", AttributeValue.Real(i % 100));
                Assert.True(space.TrySetPoint(values, point, out _));
                index.Match(point, matches);
                Assert.True(index.Remove(ids[i]));
                Assert.True(index.TryAdd(boxes[i], out ids[i]));
            }
        });

        Assert.Equal(0, bytes);
        Assert.NotEqual(0, matches.Indexes.Length);
    }

    private static Box MakeBox(AttributeSpace space, int x, int y) =>
        space.TryMakeBox(
            [
                new("x", AttributeValue.Real(x), AttributeValue.Real(x + 10.5)),
                new("y", AttributeValue.Integer(y), AttributeValue.Integer(y + 30)),
            ],
            out Box? box,
            out string reason) ? box : throw new InvalidOperationException(reason);
}
