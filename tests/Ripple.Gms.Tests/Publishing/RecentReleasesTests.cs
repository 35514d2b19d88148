using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

public sealed class RecentReleasesTests
{
    private const int BytesMax = 2_000;

    [Fact]
    public void The_newest_stay_within_the_bound_and_what_is_left_to_take_is_known()
    {
        var recent = new RecentReleases(5, BytesMax);
        Assert.Equal((5UL, 0L, 0L), (recent.First, recent.Bytes, recent.BytesFrom(5)));
        // As for a region that was behind when the host started: what it misses is not here.
        Assert.Equal(0, recent.BytesFrom(3));
        var random = new Random(1);
        var model = new List<byte[]>();
        for (ulong release = 5; release < 2_000; release++)
        {
            byte[] message = new byte[random.Next(1, release % 100 == 0 ? 2 * BytesMax : release < 1_000 ? 10 : 300)];
            recent.Add(Header(release), message, null, []);
            model.Add(message);
            ulong first = recent.First;
            Assert.InRange(recent.Bytes, 1, Math.Max(BytesMax, BytesOf(message)));
            Assert.Equal(model.Skip((int)(first - 5)).Sum(BytesOf), recent.Bytes);
            Assert.True(first == 5 || recent.Bytes + BytesOf(model[(int)(first - 6)]) > BytesMax, "More was let go of than had to be.");
            ulong some = first + (ulong)random.Next((int)(release - first) + 1);
            Assert.Same(model[(int)(some - 5)], recent.Find(some)!.Message);
            Assert.Equal(model.Skip((int)(some - 5)).Sum(BytesOf), recent.BytesFrom(some));
            Assert.Null(recent.Find(first - 1));
            Assert.Null(recent.Find(release + 1));
            Assert.Equal(0, recent.BytesFrom(release + 1));
        }
    }

    [Fact]
    public void A_gap_begins_anew()
    {
        var recent = new RecentReleases(1, BytesMax);
        recent.Add(Header(1), new byte[10], null, []);
        recent.Add(Header(7), new byte[20], null, []);
        Assert.Equal((7UL, RecentReleases.RecordBytes + 20L), (recent.First, recent.Bytes));
        Assert.Null(recent.Find(1));
        Assert.NotNull(recent.Find(7));
    }

    private static long BytesOf(byte[] message) => RecentReleases.RecordBytes + message.Length;

    private static ReleaseHeader Header(ulong release) => new()
    {
        Kind = ReleaseKind.Changes,
        Application = "shop",
        Generation = 1,
        Release = release,
        SlotEpoch = 1,
        PreviousId = release == 1 ? default : Digest160.Hash("previous"u8, default),
        PublishId = Guid.Empty,
        Actor = "ann",
        TimeUnixMicros = 1,
        Note = "",
        Changes = [],
        StateRoot = default,
    };
}
