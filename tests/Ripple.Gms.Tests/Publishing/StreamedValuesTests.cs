using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>What a primary gives to the streams of its regions behind a release, and for how long it is kept.</summary>
public sealed class StreamedValuesTests
{
    private readonly PrimaryHarness _harness = new();
    private int _count;

    [Fact]
    public void A_value_that_does_not_fit_follows_its_release()
    {
        byte[] value = Bytes(1, 100_000);
        Publish(_harness, value);
        RecentRelease release = _harness.Primary.Recent.Find(1)!;
        StreamedParts parts = Assert.Single(release.Streamed);
        Assert.True(Read(release).Streamed![0]);
        Assert.InRange(release.Message.Length, 1, 1_000);
        Assert.Equal(value, Assemble(parts, []));
        Assert.InRange(_harness.StreamedValues.Bytes, value.Length, value.Length * 11 / 10);
    }

    [Theory]
    [InlineData(500)]
    [InlineData(60_000)]
    public void A_value_that_fits_does_not(int bytes)
    {
        Publish(_harness, Bytes(1, bytes));
        Assert.Empty(_harness.Primary.Recent.Find(1)!.Streamed);
        Assert.Null(Read(_harness.Primary.Recent.Find(1)!).Streamed);
    }

    [Fact]
    public void Nor_does_one_that_a_delta_makes()
    {
        byte[] value = Bytes(1, 100_000);
        Publish(_harness, value);
        value[50_000] ^= 1;
        Publish(_harness, value);
        Assert.Empty(_harness.Primary.Recent.Find(2)!.Streamed);
        Assert.NotNull(Read(_harness.Primary.Recent.Find(2)!).ShortForms);
    }

    [Fact]
    public void What_the_value_before_has_is_left_out()
    {
        // Too long for a delta.
        byte[] before = Bytes(1, 2_000_000);
        byte[] after = [.. before];
        after[1_000_000] ^= 1;
        Publish(_harness, before);
        Publish(_harness, after);
        StreamedParts parts = Assert.Single(_harness.Primary.Recent.Find(2)!.Streamed);
        Assert.InRange(parts.Count, 2, 4);
        Assert.Equal(after, Assemble(parts, before));
    }

    [Fact]
    public void Where_somebody_does_not_know_the_form_the_message_for_that_one_has_none()
    {
        _harness.MustBeWhole = true;
        Publish(_harness, Bytes(1, 100_000));
        RecentRelease release = _harness.Primary.Recent.Find(1)!;
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(release.Whole, out ReleaseMessage? whole));
        Assert.Null(whole!.Streamed);
        Assert.NotNull(Read(release).Streamed);
    }

    [Fact]
    public void The_oldest_give_way_and_what_is_longer_than_all_may_be_is_not_streamed()
    {
        var harness = new PrimaryHarness(new GmsOptions { StreamedBytesMax = 250_000 });
        for (int i = 1; i <= 10; i++)
        {
            Publish(harness, Bytes(i, 100_000));
            Assert.InRange(harness.StreamedValues.Bytes, 1, 250_000);
        }

        Assert.Equal(0, Assert.Single(harness.Primary.Recent.Find(8)!.Streamed).Count);
        Assert.NotEqual(0, Assert.Single(harness.Primary.Recent.Find(9)!.Streamed).Count);
        Publish(harness, Bytes(11, 260_000));
        Assert.Empty(harness.Primary.Recent.Find(11)!.Streamed);
        Assert.Null(Read(harness.Primary.Recent.Find(11)!).Streamed);
    }

    [Fact]
    public void With_no_room_at_all_nothing_is_streamed()
    {
        var harness = new PrimaryHarness(new GmsOptions { StreamedBytesMax = 0 });
        Publish(harness, Bytes(1, 100_000));
        Assert.Empty(harness.Primary.Recent.Find(1)!.Streamed);
        Assert.Equal(0, harness.StreamedValues.Bytes);
    }

    [Fact]
    public void A_value_that_is_released_again_takes_nothing_from_streams_that_have_not_sent_it()
    {
        var harness = new PrimaryHarness(new GmsOptions { StreamedBytesMax = 1_000_000 });
        for (int i = 0; i < 100; i++)
        {
            Publish(harness, Bytes(i % 2, 100_000));
            Assert.InRange(harness.StreamedValues.Bytes, 100_000, 1_000_000);
        }

        ulong[] held =
        [
            .. Enumerable.Range(1, 100).Select(i => (ulong)i).Where(i => harness.Primary.Recent.Find(i)!.Streamed[0].Count > 0),
        ];
        Assert.Equal(Enumerable.Range(92, 9).Select(i => (ulong)i), held);
        Publish(harness, Bytes(7, 950_000));
        Assert.Equal(0, harness.Primary.Recent.Find(100)!.Streamed[0].Count);
        Assert.InRange(harness.StreamedValues.Bytes, 950_000, 1_000_000);
    }

    private static byte[] Bytes(int seed, int count)
    {
        byte[] bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static ReleaseMessage Read(RecentRelease release)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(release.Message, out ReleaseMessage? message));
        return message!;
    }

    private static byte[] Assemble(StreamedParts parts, byte[] before)
    {
        Assert.True(StreamedValue.TryRead(parts[0].Span, out ValuePart first));
        Assert.Equal(ValuePart.Manifest, first.Index);
        Assert.True(ContentManifest.TryRead(first.Bytes, out ContentManifest? manifest));
        var assembly = new ContentAssembly(manifest, before);
        for (int i = 1; i < parts.Count; i++)
        {
            Assert.True(StreamedValue.TryRead(parts[i].Span, out ValuePart part));
            Assert.Equal(manifest.Digest, part.Digest);
            Assert.True(assembly.IsMissing(part.Index));
            Assert.True(assembly.TryAdd(part.Index, part.Bytes));
        }

        Assert.True(assembly.TryGetValue(out byte[]? value));
        return value;
    }

    private void Publish(PrimaryHarness harness, byte[] value)
    {
        var id = new Guid(++_count, 0, 0, new byte[8]);
        var input = new PublishInput("shop", id, ulong.MaxValue, "note", [new PublishInputKey("a.bin", value)]);
        harness.Publish(PublishPreparation.Prepare(input, out _)!);
        harness.Run();
    }
}
