using Ripple.Engine.Caching;
using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Caching;

public sealed class PacketCacheTests
{
    private const int BytesMax = 64 * 1_024;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void What_is_above_the_floor_is_found_byte_for_byte_until_there_is_no_room_and_the_oldest_goes_first(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        var cache = new PacketCache(BytesMax);
        List<(ulong Sequence, byte[] Frames)> kept = [];
        ulong floor = 0;
        ulong sequence = 0;
        for (int i = 0; i < 20_000; i++)
        {
            sequence += 1 + (random.NextUInt64() % 40);
            byte[] frames = new byte[20 + (random.NextUInt64() % 1_400)];
            for (int j = 0; j < frames.Length; j += 8)
            {
                BitConverter.TryWriteBytes(frames.AsSpan(j), (uint)random.NextUInt64());
            }

            cache.Add(sequence, frames);
            kept.Add((sequence, frames));
            if (random.NextUInt64() % 50 == 0)
            {
                floor = random.NextUInt64() % 4 == 0 ? sequence : Math.Max(floor, kept[kept.Count / 3].Sequence);
                cache.Free(floor);
                kept.RemoveAll(k => k.Sequence <= floor);
            }

            Assert.InRange(cache.CapacityBytes, 0, BytesMax);
            int missing = kept.FindLastIndex(k => !cache.Find(k.Sequence).SequenceEqual(k.Frames));
            if (missing >= 0)
            {
                // Only for want of room: what is left fills the ring but for a packet at its end and one in front of the oldest.
                kept.RemoveRange(0, missing + 1);
                Assert.InRange(kept.Sum(k => k.Frames.Length), BytesMax - (3 * 1_420), BytesMax);
            }
        }

        Assert.True(floor > 0);
    }

    [Fact]
    public void A_packet_that_is_kept_is_not_freed_before_the_floor_has_passed_it()
    {
        var cache = new PacketCache(BytesMax);
        cache.Add(64, [1]);
        cache.Add(65, [2]);
        cache.Free(63);
        Assert.Equal([1], cache.Find(64).ToArray());
        cache.Free(64);
        Assert.True(cache.Find(64).IsEmpty);
        Assert.Equal([2], cache.Find(65).ToArray());
    }

    [Fact]
    public void A_quiet_region_uses_the_beginning_of_the_ring_only()
    {
        var cache = new PacketCache(BytesMax);
        for (ulong sequence = 1; sequence < 10_000; sequence++)
        {
            cache.Add(sequence, new byte[1_000]);
            cache.Free(sequence);
        }

        Assert.Equal(16 * 1_024, cache.CapacityBytes);
    }

    [Fact]
    public void The_ring_grows_once_and_to_its_bound()
    {
        var cache = new PacketCache(BytesMax);
        var sizes = new HashSet<int>();
        for (ulong sequence = 1; sequence <= 100; sequence++)
        {
            cache.Add(sequence, new byte[1_000]);
            sizes.Add(cache.CapacityBytes);
        }

        Assert.Equal([16 * 1_024, BytesMax], sizes.Order());
        Assert.False(cache.Find(100).IsEmpty);
    }

    [Fact]
    public void More_packets_than_there_are_places_push_out_the_oldest()
    {
        var cache = new PacketCache(BytesMax);
        for (ulong sequence = 1; sequence <= PacketCache.PacketsMax + 10; sequence++)
        {
            cache.Add(sequence, [(byte)sequence]);
        }

        Assert.Equal(PacketCache.PacketsMax, cache.Count);
        Assert.True(cache.Find(10).IsEmpty);
        Assert.Equal([11], cache.Find(11).ToArray());
    }

    [Fact]
    public void What_has_no_room_at_all_is_not_kept_and_pushes_out_nothing()
    {
        var cache = new PacketCache(100);
        cache.Add(1, new byte[60]);
        cache.Add(2, new byte[101]);
        Assert.Equal(60, cache.Find(1).Length);
        Assert.True(cache.Find(2).IsEmpty);
    }

    [Fact]
    public void Nothing_is_allocated_before_something_is_kept()
    {
        var cache = new PacketCache(BytesMax);
        Assert.True(cache.Find(1).IsEmpty);
        cache.Free(100);
        Assert.Equal(0, cache.CapacityBytes);
    }
}
