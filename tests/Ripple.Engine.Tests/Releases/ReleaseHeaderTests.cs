using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

public sealed class ReleaseHeaderTests
{
    [Fact]
    public void Layout_is_that_of_the_design_note()
    {
        var digest = Digest160.Hash("d"u8, default);
        var previous = Digest160.Hash("p"u8, default);
        var root = Digest160.Hash("r"u8, default);
        ReleaseHeader header = Headers.Make(
            ReleaseKind.Changes, "shop", 2, 3, 4, previous, new Guid("00112233-4455-6677-8899-aabbccddeeff"), "ann", -5, "né",
            [KeyChange.Set("a", KeyForm.Json, 9, digest), KeyChange.Remove("b")], root, [0xEE]);
        byte[] expected =
        [
            1, 0, 0, 0,
            4, .. "shop"u8, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, .. previous.ToArray(),
            0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
            3, .. "ann"u8, 0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 3, 0, .. "né"u8,
            2, 0,
            1, 0, (byte)'a', 0, 1, 9, 0, 0, 0, .. digest.ToArray(),
            1, 0, (byte)'b', 1, 0, 0, 0, 0, 0, .. new byte[20],
            .. root.ToArray(),
            1, 0, 0xEE,
        ];
        Assert.Equal(expected, header.Encode());
        Assert.Equal(Digest160.Hash("ripple/release/1"u8, expected), header.Id);
        Assert.True(ReleaseHeader.TryDecode(expected, out ReleaseHeader? decoded));
        Assert.Equal(header.Id, decoded.Id);
        Assert.Equal(header.Changes.AsEnumerable(), decoded.Changes);
        Assert.Equal("né", decoded.Note);
        Assert.Equal(-5, decoded.TimeUnixMicros);
        Assert.Equal(header.PublishId, decoded.PublishId);
        Assert.Equal([0xEE], decoded.Extension.ToArray());
    }

    [Fact]
    public void Random_headers_come_back_and_every_truncation_is_refused()
    {
        var random = new Random(4);
        for (int i = 0; i < 300; i++)
        {
            ReleaseHeader header = Headers.Random(random);
            byte[] bytes = header.Encode();
            Assert.True(ReleaseHeader.TryDecode(bytes, out ReleaseHeader? decoded));
            Assert.Equal(bytes, Reencode(decoded));
            for (int length = 0; length < bytes.Length; length++)
            {
                Assert.False(ReleaseHeader.TryDecode(bytes.AsSpan(0, length), out _));
            }

            Assert.False(ReleaseHeader.TryDecode([.. bytes, 0], out _));
        }
    }

    [Fact]
    public void Whatever_is_accepted_has_one_encoding()
    {
        var random = new Random(5);
        int accepted = 0;
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            byte[] bytes = Headers.Random(random).Encode().ToArray();
            int edits = random.Next(1, 4);
            for (int e = 0; e < edits; e++)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            if (ReleaseHeader.TryDecode(bytes, out ReleaseHeader? decoded))
            {
                accepted++;
                Assert.Equal(bytes, Reencode(decoded));
            }
        }

        Assert.True(accepted > FuzzCount.Value / 20, $"only {accepted} mutations were still headers");
    }

    [Fact]
    public void Random_bytes_are_refused()
    {
        var random = new Random(6);
        byte[] bytes = new byte[400];
        for (int i = 0; i < FuzzCount.Value; i++)
        {
            Span<byte> some = bytes.AsSpan(0, random.Next(bytes.Length));
            random.NextBytes(some);
            if (some.Length > 4)
            {
                some[0] = 1;
                some[1] = some[2] = some[3] = 0;
            }

            Assert.False(ReleaseHeader.TryDecode(some, out _));
        }
    }

    [Fact]
    public void A_lying_count_or_length_costs_nothing()
    {
        byte[] bytes = Headers.Make(note: "", actor: "", application: "a").Encode().ToArray();
        int countAt = bytes.Length - 24;
        Assert.Equal(0, BinaryPrimitives.ReadUInt16LittleEndian(bytes.AsSpan(countAt)));
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(countAt), ushort.MaxValue);
        Assert.InRange(Allocation.Of(() => Assert.False(ReleaseHeader.TryDecode(bytes, out _))), 0, 4_095);
    }

    [Fact]
    public void The_longest_header_is_accepted_and_one_byte_more_is_not()
    {
        ImmutableArray<KeyChange>.Builder changes = ImmutableArray.CreateBuilder<KeyChange>();
        for (int i = 0; i < 180; i++)
        {
            changes.Add(KeyChange.Remove($"{i:D4}".PadRight(512, 'k')));
        }

        int used = Headers.Make(changes: changes.ToImmutable()).Encode().Length;
        int left = ReleaseLimits.HeaderBytesMax - used;
        ReleaseHeader longest = Headers.Make(changes: changes.ToImmutable(), extension: new byte[left]);
        Assert.Equal(ReleaseLimits.HeaderBytesMax, longest.Encode().Length);
        Assert.True(ReleaseHeader.TryDecode(longest.Encode(), out _));
        ReleaseHeader over = Headers.Make(changes: changes.ToImmutable(), extension: new byte[left + 1]);
        Assert.Contains("98305 bytes", over.Check(), StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => over.Encode());
        Assert.False(ReleaseHeader.TryDecode(new byte[ReleaseLimits.HeaderBytesMax + 1], out _));
    }

    public static TheoryData<string> Wrongs => [.. WrongHeaders().Keys];

    [Theory]
    [MemberData(nameof(Wrongs))]
    public void What_breaks_a_rule_is_not_encoded(string name)
    {
        ReleaseHeader header = WrongHeaders()[name];
        Assert.NotNull(header.Check());
        Assert.Throws<InvalidOperationException>(() => header.Encode());
    }

    [Theory]
    [InlineData("aa", "ab", "ab", "aa")]
    [InlineData("aa", "ab", "ab", "ab")]
    [InlineData("aa", "ab", "aa", "a\n")]
    [InlineData("aa", "ab", "aa", "a\u007F")]
    public void Keys_out_of_order_twice_or_malformed_are_not_decoded(string key1, string key2, string bad1, string bad2)
    {
        byte[] bytes = Headers.Make(changes: [KeyChange.Remove(key1), KeyChange.Remove(key2)]).Encode().ToArray();
        int at1 = bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(key1));
        int at2 = bytes.AsSpan().LastIndexOf(Encoding.UTF8.GetBytes(key2));
        Encoding.UTF8.GetBytes(bad1).CopyTo(bytes, at1);
        Encoding.UTF8.GetBytes(bad2).CopyTo(bytes, at2);
        Assert.False(ReleaseHeader.TryDecode(bytes, out _));
    }

    [Fact]
    public void Text_that_is_not_utf8_is_not_decoded()
    {
        byte[] bytes = Headers.Make(note: "QQ").Encode().ToArray();
        int at = bytes.AsSpan().IndexOf("QQ"u8);
        bytes[at] = 0xC3;
        bytes[at + 1] = 0xA9;
        Assert.True(ReleaseHeader.TryDecode(bytes, out _));
        bytes[at + 1] = 0x28;
        Assert.False(ReleaseHeader.TryDecode(bytes, out _));
    }

    private static SortedDictionary<string, ReleaseHeader> WrongHeaders()
    {
        var digest = Digest160.Hash("d"u8, default);
        const int Max = ReleaseLimits.BodyBytesMax;
        return new(StringComparer.Ordinal)
        {
            ["kind"] = Headers.Make((ReleaseKind)3),
            ["application"] = Headers.Make(application: "Shop"),
            ["generation"] = Headers.Make(generation: 0),
            ["release 0"] = Headers.Make(release: 0),
            ["release too large"] = Headers.Make(release: 1UL << 63, previousId: digest),
            ["first with previous"] = Headers.Make(release: 1, previousId: digest),
            ["second without previous"] = Headers.Make(release: 2),
            ["actor"] = Headers.Make(actor: "a\nb"),
            ["note"] = Headers.Make(note: new string('x', 2049)),
            ["extension"] = Headers.Make(extension: new byte[65536]),
            ["unsorted"] = Headers.Make(changes: [KeyChange.Remove("b"), KeyChange.Remove("a")]),
            ["twice"] = Headers.Make(changes: [KeyChange.Remove("a"), KeyChange.Remove("a")]),
            ["utf16 order"] = Headers.Make(changes: [KeyChange.Remove("\U00010000"), KeyChange.Remove("\uE000")]),
            ["empty key"] = Headers.Make(changes: [KeyChange.Remove("")]),
            ["removal with length"] = Headers.Make(changes: [new("a", KeyOperation.Remove, KeyForm.Bytes, 1, default)]),
            ["removal with digest"] = Headers.Make(changes: [new("a", KeyOperation.Remove, KeyForm.Bytes, 0, digest)]),
            ["removal with form"] = Headers.Make(changes: [new("a", KeyOperation.Remove, KeyForm.Json, 0, default)]),
            ["set without digest"] = Headers.Make(changes: [KeyChange.Set("a", KeyForm.Bytes, 1, default(Digest160))]),
            ["operation"] = Headers.Make(changes: [new("a", (KeyOperation)2, KeyForm.Bytes, 1, digest)]),
            ["form"] = Headers.Make(changes: [KeyChange.Set("a", (KeyForm)2, 1, digest)]),
            ["body"] = Headers.Make(changes: [KeyChange.Set("a", KeyForm.Bytes, Max + 1, digest)]),
            ["publish"] = Headers.Make(
                changes: [KeyChange.Set("a", KeyForm.Bytes, Max, digest), KeyChange.Set("b", KeyForm.Bytes, 1, digest)]),
            ["changes"] = Headers.Make(changes: [.. Enumerable.Range(0, 1001).Select(i => KeyChange.Remove($"{i:D4}"))]),
        };
    }

    // A copy, so that the bytes are made anew and not those kept from decoding.
    private static byte[] Reencode(ReleaseHeader h) =>
        Headers.Make(h.Kind, h.Application, h.Generation, h.Release, h.SlotEpoch, h.PreviousId, h.PublishId, h.Actor,
            h.TimeUnixMicros, h.Note, h.Changes, h.StateRoot, h.Extension.ToArray()).Encode();
}
