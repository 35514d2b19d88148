using System.Text;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Tests.Publishing;

/// <summary>Which releases a primary sends as deltas, and from what.</summary>
public sealed class PrimaryDeltaTests
{
    private readonly PrimaryHarness _harness = new();

    [Fact]
    public void An_edit_travels_as_a_delta_from_the_value_before_it()
    {
        Publish(1, Document(0));
        Publish(2, Document(1));
        Assert.Null(Sent(1).ShortForms);
        Assert.Equal(Document(1), Applied(Sent(2), Document(0)));
        Assert.InRange(Recent(2).Message.Length, 1, Recent(1).Message.Length / 3);
    }

    [Fact]
    public void Edits_of_one_batch_are_made_one_from_the_other()
    {
        Publish(1, Document(0));
        _harness.Publish(Prepare(2, Document(1)));
        _harness.Publish(Prepare(3, Document(2)));
        _harness.Publish(Prepare(4, Document(3)));
        _harness.Run();
        Assert.Equal(4UL, _harness.Primary.Committed.Release);
        for (int i = 1; i <= 3; i++)
        {
            Assert.Equal(Document(i), Applied(Sent((ulong)i + 1), Document(i - 1)));
        }
    }

    [Fact]
    public void A_delta_that_is_not_made_in_time_is_not_waited_for()
    {
        Publish(1, Document(0));
        _harness.AreDeltasLate = true;
        Publish(2, Document(1));
        Assert.Null(Sent(2).ShortForms);
        Assert.Equal(Document(1), TextOf(Sent(2).Bodies[0]!.Value));
        Assert.Single(_harness.Waiting).Make();
        Assert.Null(Sent(2).ShortForms);
    }

    [Fact]
    public void What_has_no_base_here_or_is_no_edit_travels_whole()
    {
        var none = new PrimaryHarness(new GmsOptions { DeltaBytesMax = 0 });
        none.Publish(Prepare(1, Document(0)));
        none.Run();
        none.Publish(Prepare(2, Document(1)));
        none.Run();
        Assert.Null(Read(none.Primary.Recent.Find(2)!.Message).ShortForms);

        Publish(1, Document(0));
        Publish(2, new string('x', 300));
        Publish(3, "short");
        Publish(4, "shorter");
        Publish(5, null);
        Publish(6, Document(1));
        for (ulong release = 1; release <= 6; release++)
        {
            Assert.Null(Sent(release).ShortForms);
        }
    }

    [Fact]
    public void A_new_value_that_fills_more_than_a_packet_travels_compressed_if_that_is_shorter()
    {
        string text = string.Concat(Enumerable.Range(0, 400).Select(i => $"\"key-{i}\": {i * 7},\n"));
        Publish(1, text);
        ShortForm form = Sent(1).ShortForms![0]!.Value;
        Assert.False(form.IsDelta);
        byte[] made = new byte[text.Length];
        Assert.True(ValueCompression.TryDecompress(form.Bytes.Span, made));
        Assert.Equal(text, TextOf(made));
        // Of what mostly was there before, the delta is shorter.
        Publish(2, "new: " + text);
        Assert.True(Sent(2).ShortForms![0]!.Value.IsDelta);
        // Of what has nothing in common with it, it is not.
        Publish(3, string.Concat(Enumerable.Range(0, 400).Select(i => $"<a href='{i % 13}'/>")));
        Assert.False(Sent(3).ShortForms![0]!.Value.IsDelta);
        Assert.Equal((2, 1), (_harness.Values.CompressedCount, _harness.Values.DeltaCount));
        // What fits one packet travels as it is.
        Publish(4, new string('x', ShortFormWork.CompressedBytesMin - 1));
        Assert.Null(Sent(4).ShortForms);
    }

    [Fact]
    public void A_delta_that_inserts_much_travels_compressed_and_one_of_a_few_bytes_as_it_is()
    {
        Publish(1, Version(1));
        Publish(2, Version(2));
        ShortForm form = Sent(2).ShortForms![0]!.Value;
        Assert.Equal((true, true), (form.IsDelta, form.IsCompressed));
        Assert.Equal(Version(2), Applied(Sent(2), Version(1)));
        byte[] delta = ValueDelta.TryMake(Encoding.UTF8.GetBytes(Version(1)), Encoding.UTF8.GetBytes(Version(2)), int.MaxValue)!;
        Assert.InRange(form.Bytes.Length, 1, delta.Length - (delta.Length / 8));

        string edited = Version(2).Replace("host-7:", "host-x:", StringComparison.Ordinal);
        Publish(3, edited);
        form = Sent(3).ShortForms![0]!.Value;
        Assert.Equal((true, false), (form.IsDelta, form.IsCompressed));
        Assert.Equal(edited, Applied(Sent(3), Version(2)));
        Assert.Equal(2, _harness.Values.DeltaCount);

        static string Version(int number) => string.Concat(Enumerable.Range(0, 200).Select(
            i => $"host-{i}: https://{i * 7919 % 1000}.example.com/{(i % 10 == 0 ? $"wmf.{number}" : "stays")}\n"));
    }

    [Fact]
    public void A_whole_message_is_kept_beside_it_only_while_somebody_needs_one()
    {
        Publish(1, Document(0));
        Assert.Same(Recent(1).Message, Recent(1).Whole);
        Publish(2, Document(1));
        Assert.Null(Recent(2).MessageFor(knowsShortForms: false));
        _harness.MustBeWhole = true;
        Publish(3, Document(2));
        Assert.NotNull(Sent(3).ShortForms);
        ReleaseMessage whole = Read(Recent(3).MessageFor(knowsShortForms: false)!);
        Assert.Equal((null, Document(2)), (whole.ShortForms, TextOf(whole.Bodies[0]!.Value)));
        Assert.Equal(
            3 * RecentReleases.RecordBytes + Recent(1).Message.Length + Recent(2).Message.Length + Recent(3).Message.Length
                + Recent(3).Whole!.Length,
            _harness.Primary.Recent.Bytes);
    }

    [Fact]
    public void Newest_values_are_bounded_and_those_used_longest_ago_give_way()
    {
        const int ValueBytes = 1_000;
        var values = new RecentValues(10 * (ValueBytes + 256), new NoDeltas());
        byte[][] all = [.. Enumerable.Range(0, 30).Select(i => Encoding.UTF8.GetBytes($"{i:D3}".PadRight(ValueBytes, 'x')))];
        Digest160[] digests = [.. all.Select(v => ContentDigest.Compute(v))];
        for (int i = 0; i < all.Length; i++)
        {
            values.Add(digests[i], all[i]);
            Assert.NotNull(values.Find(digests[0]));
            Assert.InRange(values.Bytes, 1, 10 * (ValueBytes + 256));
        }

        Assert.Equal(10, values.ValueCount);
        Assert.Null(values.Find(digests[1]));
        Assert.NotNull(values.Find(digests[29]));
        // A part of a larger array does not hold it.
        byte[] large = new byte[100_000];
        values.Add(ContentDigest.Compute(large.AsSpan(0, ValueBytes)), large.AsMemory(0, ValueBytes));
        Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray(
            values.Find(ContentDigest.Compute(large.AsSpan(0, ValueBytes)))!.Value, out ArraySegment<byte> kept));
        Assert.Equal(ValueBytes, kept.Array!.Length);
        values.Add(ContentDigest.Compute(large), new byte[20_000]);
        Assert.Equal(10, values.ValueCount);
    }

    private sealed class NoDeltas : IShortFormMaker
    {
        public void Make(ShortFormWork work)
        {
        }
    }

    private static string Document(int edit) =>
        string.Concat(Enumerable.Range(0, 40).Select(i => $"line {i}: {(i == edit % 40 ? $"edited {edit}" : "as it was")}\n"));

    private static string TextOf(ReadOnlyMemory<byte> value) => Encoding.UTF8.GetString(value.Span);

    private static PreparedPublish Prepare(int id, string? value) =>
        PrimaryHarness.Prepare(new Guid(id, 0, 0, new byte[8]), "key", value);

    private static string Applied(ReleaseMessage message, string before)
    {
        byte[] value = new byte[message.Header.Changes[0].Length];
        Assert.True(message.ShortForms![0]!.Value.TryMake(Encoding.UTF8.GetBytes(before), value));
        return TextOf(value);
    }

    private static ReleaseMessage Read(byte[] message)
    {
        Assert.Equal(DecodeStatus.Ok, ReleaseMessage.TryRead(message, out ReleaseMessage? read));
        return read!;
    }

    private void Publish(int id, string? value)
    {
        _harness.Publish(Prepare(id, value));
        _harness.Run();
    }

    private RecentRelease Recent(ulong release) => _harness.Primary.Recent.Find(release)!;

    private ReleaseMessage Sent(ulong release) => Read(Recent(release).Message);
}
