using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ValueDeltaTests
{
    private static readonly byte[] Digits = "0123456789"u8.ToArray();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_edits_come_back_byte_for_byte(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        byte[] source = Text(random, 4_000);
        int made = 0;
        for (int i = 0; i < FuzzCount.Value / 20; i++)
        {
            byte[] value = Edit(random, source);
            if (ValueDelta.TryMake(source, value, int.MaxValue) is { } delta)
            {
                made++;
                Assert.True(delta.Length < value.Length);
                Assert.Equal(value, Apply(delta, source, value.Length));
            }

            // What it becomes is the next base; from time to time it begins anew.
            source = value.Length is 0 or > 20_000 || i % 50 == 49 ? Text(random, random.NextInt32(8_000)) : value;
        }

        Assert.True(made > FuzzCount.Value / 40, $"only {made} were made");
    }

    [Fact]
    public void A_changed_line_of_a_large_document_costs_little_more_than_the_line()
    {
        var random = new DeterministicRandom(7);
        byte[] source = Text(random, ValueDelta.ValueBytesMax - 100);
        byte[] line = Encoding.UTF8.GetBytes("  \"limit\": 12345,\n");
        byte[] value = [.. source.AsSpan(0, 500_000), .. line, .. source.AsSpan(500_010)];

        byte[]? delta = ValueDelta.TryMake(source, value, int.MaxValue);

        Assert.NotNull(delta);
        Assert.InRange(delta.Length, line.Length / 2, line.Length + 16);
        Assert.Equal(value, Apply(delta, source, value.Length));
    }

    [Fact]
    public void Parts_that_moved_are_copied()
    {
        var random = new DeterministicRandom(8);
        byte[] a = Text(random, 3_000);
        byte[] b = Text(random, 5_000);
        byte[] c = Text(random, 2_000);
        byte[] source = [.. a, .. b, .. c];
        byte[] value = [1, .. c, 2, .. a, 3, .. b, 4];

        byte[]? delta = ValueDelta.TryMake(source, value, int.MaxValue);

        Assert.NotNull(delta);
        Assert.InRange(delta.Length, 4, 100);
        Assert.Equal(value, Apply(delta, source, value.Length));
    }

    [Fact]
    public void Edits_in_many_places_are_found_between_the_first_and_the_last()
    {
        var random = new DeterministicRandom(9);
        byte[] source = Text(random, 100_000);
        byte[] value = [.. source];
        for (int i = 1; i < 100; i++)
        {
            value[i * 1_000] ^= 0xFF;
        }

        byte[]? delta = ValueDelta.TryMake(source, value, int.MaxValue);

        // An instruction for each edit and each copy, and up to a block of what lies between.
        Assert.NotNull(delta);
        Assert.InRange(delta.Length, 99, 99 * 30);
        Assert.Equal(value, Apply(delta, source, value.Length));
    }

    [Fact]
    public void A_run_of_one_byte_grows_and_shrinks()
    {
        byte[] five = new byte[50_000];
        byte[] four = new byte[40_000];

        Assert.Equal(four, Apply(ValueDelta.TryMake(five, four, 100)!, five, four.Length));
        Assert.Equal(five, Apply(ValueDelta.TryMake(four, five, 100)!, four, five.Length));
    }

    [Fact]
    public void A_delta_that_is_not_shorter_than_asked_is_not_made()
    {
        var random = new DeterministicRandom(10);
        byte[] source = Noise(random, 10_000);
        byte[] value = [.. source];
        value[5_000] ^= 1;
        int length = ValueDelta.TryMake(source, value, int.MaxValue)!.Length;

        Assert.NotNull(ValueDelta.TryMake(source, value, length + 1));
        for (int bytesMax = 0; bytesMax <= length; bytesMax++)
        {
            Assert.Null(ValueDelta.TryMake(source, value, bytesMax));
        }
    }

    [Fact]
    public void Values_without_anything_in_common_or_too_long_have_no_delta()
    {
        var random = new DeterministicRandom(11);
        byte[] value = Noise(random, 10_000);
        byte[] tooLong = new byte[ValueDelta.ValueBytesMax + 1];

        Assert.Null(ValueDelta.TryMake(Noise(random, 10_000), value, int.MaxValue));
        Assert.Null(ValueDelta.TryMake([], value, int.MaxValue));
        Assert.Null(ValueDelta.TryMake(value, [], int.MaxValue));
        Assert.Null(ValueDelta.TryMake(tooLong, new byte[100], int.MaxValue));
        Assert.Null(ValueDelta.TryMake(new byte[100], tooLong, int.MaxValue));
    }

    [Fact]
    public void The_layout_is_the_documented_one()
    {
        // Copy 0..3; insert "ab"; copy 5..10, two after the end of the copy before; copy 0..1, ten before that one's.
        Assert.Equal("012ab567890"u8, Apply([7, 0, 4, (byte)'a', (byte)'b', 11, 4, 3, 19], Digits, 11));
        Assert.Equal([7, 0, 4, (byte)'a', (byte)'b', 11, 4], ValueDelta.TryMake(Digits, "012ab56789"u8, 10));
    }

    [Theory]
    [InlineData("a copy that begins before the base", new byte[] { 3, 1, 18, 1, 1, 1, 1, 1, 1, 1, 1, 1 })]
    [InlineData("a copy that ends behind the base", new byte[] { 21, 2 })]
    [InlineData("a copy that begins behind the base", new byte[] { 3, 22, 18, 1, 1, 1, 1, 1, 1, 1, 1, 1 })]
    [InlineData("a copy that is longer than the result", new byte[] { 23, 0 })]
    [InlineData("copies that are longer than the result together", new byte[] { 13, 0, 13, 11 })]
    [InlineData("a copy without a distance", new byte[] { 21 })]
    [InlineData("an insertion that has a byte fewer", new byte[] { 20, 1, 1, 1, 1, 1, 1, 1, 1, 1 })]
    [InlineData("an insertion that is longer than the result", new byte[] { 22, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 })]
    [InlineData("an end before the result is whole", new byte[] { 19, 0 })]
    [InlineData("bytes behind the end", new byte[] { 21, 0, 0 })]
    [InlineData("an empty insertion", new byte[] { 0, 21, 0 })]
    [InlineData("an empty copy", new byte[] { 1, 0, 21, 0 })]
    [InlineData("a number that is longer than it need be", new byte[] { 0x95, 0x00, 0 })]
    [InlineData("a number of six bytes", new byte[] { 0x95, 0x80, 0x80, 0x80, 0x80, 0x01, 0 })]
    [InlineData("a number beyond 32 bits", new byte[] { 21, 0x80, 0x80, 0x80, 0x80, 0x10 })]
    [InlineData("the greatest distance back", new byte[] { 21, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F })]
    [InlineData("the greatest distance on", new byte[] { 21, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F })]
    [InlineData("the greatest length", new byte[] { 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0 })]
    [InlineData("nothing", new byte[] { })]
    public void Wrong_instructions_are_refused(string what, byte[] delta)
    {
        Assert.False(ValueDelta.TryApply(delta, Digits, new byte[10]), what);
        Assert.True(ValueDelta.TryApply([21, 0], Digits, new byte[10]));
    }

    [Fact]
    public void Hostile_deltas_neither_throw_nor_write_outside_nor_take_memory()
    {
        var random = new DeterministicRandom(12);
        byte[] source = Text(random, 1_000);
        byte[] value = Edit(random, source);
        byte[] room = new byte[3_000];
        int applied = 0;
        byte[][] deltas = new byte[256][];
        for (int i = 0; i < deltas.Length; i++)
        {
            deltas[i] = ValueDelta.TryMake(source, value = Edit(random, source), int.MaxValue) ?? Noise(random, 1 + random.NextInt32(40));
        }

        int next = 0;
        // Six rounds.
        long least = Allocation.Of(() =>
        {
            for (int i = 0; i < FuzzCount.Value / 6; i++, next++)
            {
                Try(deltas[next % deltas.Length]);
            }
        });
        Assert.Equal(0, least);
        Assert.InRange(applied, 0, FuzzCount.Value / 10);

        void Try(byte[] delta)
        {
            ref byte changed = ref delta[random.NextInt32(delta.Length)];
            changed ^= (byte)(1 << random.NextInt32(8));
            int length = random.NextInt32(2_000);
            Array.Clear(room);
            applied += ValueDelta.TryApply(delta.AsSpan(0, 1 + random.NextInt32(delta.Length)), source, room.AsSpan(500, length)) ? 1 : 0;
            Assert.False(room.AsSpan(0, 500).ContainsAnyExcept((byte)0));
            Assert.False(room.AsSpan(500 + length).ContainsAnyExcept((byte)0));
        }
    }

    [Theory]
    [InlineData("ddg-android-config", 0.0012)]
    [InlineData("dnscrypt-proxy-toml", 0.009)]
    [InlineData("kube-prometheus-stack-values", 0.0012)]
    [InlineData("nacos-application-properties", 0.055)]
    [InlineData("nugetgallery-web-config", 0.015)]
    [InlineData("petclinic-application-yml", 0.09)]
    [InlineData("schemastore-catalog", 0.0006)]
    [InlineData("squidex-appsettings", 0.012)]
    [InlineData("wikimedia-wikiversions", 0.1)]
    public void A_new_version_of_a_real_document_costs_what_it_changes(string name, double mostOfBytes)
    {
        byte[]? previous = null;
        long deltas = 0;
        long documents = 0;
        foreach (byte[] version in ConfigHistories.Read(name))
        {
            // Longer ones have chunks.
            if (previous is not null && Math.Max(previous.Length, version.Length) <= ValueDelta.ValueBytesMax)
            {
                byte[]? delta = ValueDelta.TryMake(previous, version, int.MaxValue);
                if (delta is not null)
                {
                    Assert.Equal(ContentDigest.Compute(version), ContentDigest.Compute(Apply(delta, previous, version.Length)));
                }

                deltas += delta?.Length ?? version.Length;
                documents += version.Length;
            }

            previous = version;
        }

        Assert.True(deltas <= mostOfBytes * documents, $"{deltas:N0} bytes for {documents:N0}, {deltas / (double)documents:P2}");
    }

    private static byte[] Apply(byte[] delta, byte[] source, int length)
    {
        byte[] value = new byte[length];
        Assert.True(ValueDelta.TryApply(delta, source, value));
        return value;
    }

    private static byte[] Edit(DeterministicRandom random, byte[] source)
    {
        List<byte> value = [.. source];
        for (int edits = random.NextInt32(5); edits >= 0; edits--)
        {
            int at = random.NextInt32(value.Count + 1);
            int length = Math.Min(random.NextInt32(random.NextBool(0.2) ? 2_000 : 40), value.Count - at);
            switch (random.NextInt32(5))
            {
                case 0:
                    value.RemoveRange(at, length);
                    break;
                case 1:
                    value.InsertRange(at, Noise(random, random.NextInt32(60)));
                    break;
                case 2:
                    List<byte> moved = value.GetRange(at, length);
                    value.RemoveRange(at, length);
                    value.InsertRange(random.NextInt32(value.Count + 1), moved);
                    break;
                case 3:
                    value.InsertRange(random.NextInt32(value.Count + 1), value.GetRange(at, length));
                    break;
                default:
                    if (at < value.Count)
                    {
                        value[at] ^= 0x15;
                    }

                    break;
            }
        }

        return [.. value];
    }

    /// <summary>Lines that are alike, as those of a document are.</summary>
    private static byte[] Text(DeterministicRandom random, int length)
    {
        var text = new StringBuilder(length + 64);
        while (text.Length < length)
        {
            text.Append("  \"name-").Append(random.NextInt32(50)).Append("\": ").Append(random.NextInt32(1_000_000)).Append(",\n");
        }

        return Encoding.UTF8.GetBytes(text.ToString(0, length));
    }

    private static byte[] Noise(DeterministicRandom random, int length)
    {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)random.NextInt32(256);
        }

        return bytes;
    }
}
