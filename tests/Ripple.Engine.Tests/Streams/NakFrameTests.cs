using Ripple.Engine.Core;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Tests.Streams;

public sealed class NakFrameTests
{
    private readonly ulong[] _read = new ulong[NakFrame.WordsMax];

    [Fact]
    public void A_few_ranges_however_far_apart_take_no_words()
    {
        var missing = new ulong[NakFrame.WordsMax];
        missing[0] = 1UL << 63;
        missing[1] = ulong.MaxValue;
        missing[2] = 1;
        missing[128] = 1UL << 63;
        byte[] payload = Payload(128, missing);
        Assert.Equal(20 + (2 * 4), payload.Length);
        AssertSame(payload, 128, missing);
    }

    [Fact]
    public void Scattered_losses_take_words_and_a_long_gap_among_them_a_range()
    {
        var missing = new ulong[NakFrame.WordsMax];
        for (int i = 0; i < 4; i++)
        {
            missing[i] = 0x5555_5555_5555_5555;
        }

        missing.AsSpan(10, 100).Fill(ulong.MaxValue);
        byte[] payload = Payload(64, missing);
        Assert.Equal(20 + 4 + (4 * 8), payload.Length);
        AssertSame(payload, 64, missing);
    }

    [Fact]
    public void The_worst_pattern_of_a_whole_window_fits_one_packet()
    {
        var missing = new ulong[NakFrame.WordsMax];
        missing.AsSpan().Fill(0x5555_5555_5555_5555);
        // Runs one longer than a word, with one between: as many ranges as can be, and words for the rest.
        byte[] worst = Payload(64, missing);
        for (int bit = 0; bit < 32 * 66; bit++)
        {
            missing[bit / 64] = bit % 66 == 65 ? missing[bit / 64] & ~(1UL << (bit % 64)) : missing[bit / 64] | (1UL << (bit % 64));
        }

        byte[] ranges = Payload(64, missing);
        Assert.InRange(Math.Max(worst.Length, ranges.Length), NakFrame.WordsMax * 8, NakFrame.FrameBytesMax - FrameReader.HeaderBytes);
        Assert.InRange(NakFrame.FrameBytesMax, 0, WireLimits.FramesBytesMax);
        AssertSame(ranges, 64, missing);
    }

    [Fact]
    public void What_was_written_is_read_whatever_the_pattern()
    {
        var random = new DeterministicRandom(17);
        for (int i = 0; i < FuzzCount.Value / 4; i++)
        {
            var missing = new ulong[1 + random.NextInt32(NakFrame.WordsMax)];
            int runLengthMax = 1 + random.NextInt32(random.NextBool(0.5) ? 8 : 800);
            int bit = 0;
            while ((bit += random.NextInt32(1 + random.NextInt32(500))) < missing.Length * 64)
            {
                for (int end = Math.Min(missing.Length * 64, bit + 1 + random.NextInt32(runLengthMax)); bit < end; bit++)
                {
                    missing[bit / 64] |= 1UL << (bit % 64);
                }
            }

            missing[0] |= 1UL << random.NextInt32(64);
            AssertSame(Payload(64, missing), 64, missing);
        }
    }

    [Theory]
    // A start that is no multiple of 64; one above every sequence.
    [InlineData("0100000000000000" + "4100000000000000" + "0100" + "0000" + "00000100")]
    [InlineData("0100000000000000" + "4000000000000001" + "0100" + "0000" + "00000100")]
    // Nothing asked for; nothing in the first word; sequence 0; the last word empty.
    [InlineData("0100000000000000" + "4000000000000000" + "0000" + "0000")]
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0000" + "40000100")]
    [InlineData("0100000000000000" + "0000000000000000" + "0100" + "0000" + "00000100")]
    [InlineData("0100000000000000" + "0000000000000000" + "0000" + "0100" + "0100000000000000")]
    [InlineData("0100000000000000" + "4000000000000000" + "0000" + "0200" + "0100000000000000" + "0000000000000000")]
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0100" + "00000100" + "0000000000000000")]
    // An empty range; neighbours; an overlap; the wrong order; one that ends beyond the last word.
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0000" + "00000000")]
    [InlineData("0100000000000000" + "4000000000000000" + "0200" + "0000" + "00000200" + "02000100")]
    [InlineData("0100000000000000" + "4000000000000000" + "0200" + "0000" + "00000200" + "01000300")]
    [InlineData("0100000000000000" + "4000000000000000" + "0200" + "0000" + "09000100" + "00000100")]
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0000" + "00004120")]
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0000" + "0000FFFF")]
    // The same sequence by a range and by a bit; more ranges, and more words, than there may be; a sequence above the highest.
    [InlineData("0100000000000000" + "4000000000000000" + "0100" + "0100" + "00000400" + "0800000000000000")]
    [InlineData("0100000000000000" + "4000000000000000" + "2100" + "0000")]
    [InlineData("0100000000000000" + "4000000000000000" + "0000" + "8200")]
    [InlineData("0100000000000000" + "C0FFFFFFFFFFFF00" + "0100" + "0000" + "00004100")]
    public void Lying_requests_are_malformed(string payload)
    {
        Assert.Equal(DecodeStatus.Malformed, NakFrame.Read(Convert.FromHexString(payload), out _, out _, _read, out int count));
        Assert.Equal(0, count);
    }

    [Theory]
    [InlineData("0100000000000000" + "4000000000000000" + "0200" + "0000" + "00000100")]
    [InlineData("0100000000000000" + "4000000000000000" + "0000" + "0200" + "0100000000000000")]
    public void Counts_that_the_rest_cannot_hold_are_refused(string payload)
    {
        Assert.Equal(DecodeStatus.Truncated, NakFrame.Read(Convert.FromHexString(payload), out _, out _, _read, out int count));
        Assert.Equal(0, count);
    }

    [Fact]
    public void The_highest_sequence_of_all_can_be_asked_for()
    {
        byte[] payload = Payload(StreamPosition.SequenceMax - 63, [1UL << 63]);
        AssertSame(payload, StreamPosition.SequenceMax - 63, [1UL << 63]);
    }

    private static byte[] Payload(ulong start, ulong[] missing)
    {
        var frame = new byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frame);
        NakFrame.Write(ref writer, 5, start, missing);
        return frame[FrameReader.HeaderBytes..writer.Position];
    }

    private void AssertSame(byte[] payload, ulong start, ReadOnlySpan<ulong> missing)
    {
        Assert.Equal(DecodeStatus.Ok, NakFrame.Read(payload, out ulong origin, out ulong startRead, _read, out int count));
        Assert.Equal(5UL, origin);
        Assert.Equal(start, startRead);
        Assert.True(_read.AsSpan(0, count).SequenceEqual(missing.TrimEnd(0UL)));
    }
}
