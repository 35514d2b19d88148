using System.Globalization;
using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Matching;

public sealed class BoxIndexPropertyTests
{
    /// <summary>How many boxes are compared with events: RIPPLE_MATCH_COUNT, or 200,000.</summary>
    private static readonly long Count =
        long.TryParse(
            Environment.GetEnvironmentVariable("RIPPLE_MATCH_COUNT"), NumberStyles.None, CultureInfo.InvariantCulture, out long count)
            ? count
            : 200_000;

    [Fact]
    public void The_index_finds_what_a_scan_finds_while_boxes_come_and_go()
    {
        long compared = 0;
        for (ulong seed = 1; compared < Count; seed++)
        {
            var random = new DeterministicRandom(seed);
            var world = new MatchWorld(seed, 1 + random.NextInt32(16), 1 + random.NextInt32(300));
            compared += world.Run(boxes: 1 + random.NextInt32(600), events: 60);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(16)]
    public void The_index_finds_what_a_scan_finds_in_any_number_of_dimensions(int dimensions) =>
        new MatchWorld((ulong)dimensions, dimensions, bucketsMax: 64).Run(boxes: 300, events: 100);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4_096)]
    public void The_index_finds_what_a_scan_finds_with_any_number_of_buckets(int buckets) =>
        new MatchWorld((ulong)buckets, 3, buckets).Run(boxes: 300, events: 100);

    [Fact]
    public void More_boxes_than_one_mask_has_bits_for_are_found() => new MatchWorld(3, 2, bucketsMax: 16).Run(boxes: 25_000, events: 30);

    [Fact]
    public void Boxes_that_all_went_leave_nothing_and_others_take_their_places()
    {
        var world = new MatchWorld(5, 2, bucketsMax: 32);
        world.Run(boxes: 2_000, events: 10);
        long bytes = world.Index.Bytes;
        for (int round = 0; round < 5; round++)
        {
            while (world.Boxes.Count > 0)
            {
                world.Remove();
            }

            world.CheckEvent();
            Assert.Empty(world.Matches.Indexes.ToArray());
            world.Run(boxes: 1_500, events: 5);
        }

        Assert.Equal(bytes, world.Index.Bytes);
    }
}
