using System.Numerics;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// The frame with which a receiver requests all missing packets of its window, however scattered: <c>u64 origin, u64 start, u16 ranges, u16
/// words, ranges x (u16 offset, u16 length), words x u64</c>. Offsets and bits count from the start, a multiple of 64; the lowest bit of
/// the first word is the start itself.
/// </summary>
internal static class NakFrame
{
    /// <summary>The most words of 64 sequences in one frame: a receiver's window, which need not begin at a word boundary.</summary>
    public const int WordsMax = (ReceiveWindow.Packets / SequencesPerWord) + 1;

    /// <summary>The most ranges in one frame; sequences too scattered for them go into the words.</summary>
    public const int RangesMax = 32;

    /// <summary>The most bytes of the frame, with its header.</summary>
    public const int FrameBytesMax = FrameReader.HeaderBytes + 20 + (RangesMax * RangeBytes) + (WordsMax * WordBytes);

    internal const int SequencesPerWord = 64;

    private const int RangeBytes = 4;
    private const int WordBytes = 8;

    /// <summary>Writes the frame, with its header.</summary>
    /// <param name="writer">Receives the frame.</param>
    /// <param name="origin">The incarnation of the stream's sender.</param>
    /// <param name="start">The sequence of the lowest bit; a multiple of 64.</param>
    /// <param name="missing">A bit for each requested sequence; at most <see cref="WordsMax"/> words, the first of them not 0.</param>
    public static void Write(ref WireWriter writer, ulong origin, ulong start, scoped ReadOnlySpan<ulong> missing)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(start % SequencesPerWord, 0UL, nameof(start));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(missing.Length, WordsMax, nameof(missing));
        Span<ulong> words = stackalloc ulong[WordsMax];
        Span<(int First, int Length)> ranges = stackalloc (int, int)[RangesMax];
        missing.CopyTo(words);
        int rangeCount = TakeRanges(words[..missing.Length], ranges);
        int wordCount = missing.Length;
        while (wordCount > 0 && words[wordCount - 1] == 0)
        {
            wordCount--;
        }

        int frame = FrameWriter.Begin(ref writer, FrameType.Nak);
        writer.WriteU64(origin);
        writer.WriteU64(start);
        writer.WriteU16((ushort)rangeCount);
        writer.WriteU16((ushort)wordCount);
        foreach ((int first, int length) in ranges[..rangeCount])
        {
            writer.WriteU16((ushort)first);
            writer.WriteU16((ushort)length);
        }

        foreach (ulong word in words[..wordCount])
        {
            writer.WriteU64(word);
        }

        FrameWriter.End(ref writer, frame);
    }

    /// <summary>
    /// Reads the frame's payload. A frame with nothing in its first word, with repeated or unordered requests, or with more than
    /// <see cref="WordsMax"/> words is malformed: this bounds the work that a frame can cause.
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="origin">The incarnation of the stream's sender.</param>
    /// <param name="start">The sequence of the lowest bit.</param>
    /// <param name="missing">Room for <see cref="WordsMax"/> words; receives a bit for each requested sequence.</param>
    /// <param name="count">How many words are used; 0 unless the status is Ok.</param>
    public static DecodeStatus Read(ReadOnlySpan<byte> payload, out ulong origin, out ulong start, Span<ulong> missing, out int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(missing.Length, WordsMax, nameof(missing));
        count = 0;
        var reader = new WireReader(payload);
        origin = reader.ReadU64();
        start = reader.ReadU64();
        int rangeCount = reader.ReadCount16(RangeBytes, RangesMax);
        int wordCount = reader.ReadCount16(WordBytes, WordsMax);
        if (start % SequencesPerWord != 0 || start > StreamPosition.SequenceMax)
        {
            reader.Fail();
        }

        missing[..WordsMax].Clear();
        int end = ReadRanges(ref reader, rangeCount, missing);
        for (int i = 0; i < wordCount && reader.IsOk; i++)
        {
            ulong word = reader.ReadU64();
            if ((missing[i] & word) != 0 || (word == 0 && i == wordCount - 1))
            {
                reader.Fail();
            }

            missing[i] |= word;
        }

        int used = Math.Max((end + SequencesPerWord - 1) / SequencesPerWord, wordCount);
        if (reader.IsOk && !IsAskable(start, missing[..used]))
        {
            reader.Fail();
        }

        DecodeStatus status = reader.End();
        count = status == DecodeStatus.Ok ? used : 0;
        return status;
    }

    /// <summary>
    /// Moves runs of bits into ranges: all when there are few, otherwise only those at least as long as a word. Returns how many.
    /// </summary>
    private static int TakeRanges(Span<ulong> words, Span<(int First, int Length)> ranges)
    {
        int runs = 0;
        for (int bit = 0; runs <= RangesMax && TryNextRun(words, bit, out int first, out int length); bit = first + length)
        {
            runs++;
        }

        int lengthMin = runs <= RangesMax ? 1 : SequencesPerWord;
        int taken = 0;
        for (int bit = 0; taken < RangesMax && TryNextRun(words, bit, out int first, out int length); bit = first + length)
        {
            if (length >= lengthMin)
            {
                ranges[taken++] = (first, length);
                Flip(words, first, length);
            }
        }

        return taken;
    }

    private static int ReadRanges(ref WireReader reader, int count, Span<ulong> missing)
    {
        int end = 0;
        for (int i = 0; i < count && reader.IsOk; i++)
        {
            int first = reader.ReadU16();
            int length = reader.ReadU16();
            // Adjacent ranges would be one range.
            if (length == 0 || (i > 0 && first <= end) || first + length > WordsMax * SequencesPerWord)
            {
                reader.Fail();
                return 0;
            }

            Flip(missing, first, length);
            end = first + length;
        }

        return end;
    }

    private static bool IsAskable(ulong start, ReadOnlySpan<ulong> words)
    {
        // Sequences begin at 1.
        if (words.IsEmpty || words[0] == 0 || (start == 0 && (words[0] & 1) != 0))
        {
            return false;
        }

        ulong last = start + ((ulong)words.Length * SequencesPerWord) - 1 - (ulong)BitOperations.LeadingZeroCount(words[^1]);
        return last <= StreamPosition.SequenceMax;
    }

    private static bool TryNextRun(ReadOnlySpan<ulong> words, int from, out int first, out int length)
    {
        first = NextBit(words, from, 0);
        length = NextBit(words, first, ulong.MaxValue) - first;
        return length > 0;
    }

    /// <summary>
    /// The first bit at or after <paramref name="from"/> that is set once each word is XORed with <paramref name="flip"/>; the total number
    /// of bits when there is none.
    /// </summary>
    private static int NextBit(ReadOnlySpan<ulong> words, int from, ulong flip)
    {
        for (int i = from / SequencesPerWord; i < words.Length; i++)
        {
            ulong word = (words[i] ^ flip) >> (from % SequencesPerWord);
            if (word != 0)
            {
                return from + BitOperations.TrailingZeroCount(word);
            }

            from = (i + 1) * SequencesPerWord;
        }

        return words.Length * SequencesPerWord;
    }

    private static void Flip(Span<ulong> words, int first, int length)
    {
        while (length > 0)
        {
            int shift = first % SequencesPerWord;
            int taken = Math.Min(length, SequencesPerWord - shift);
            words[first / SequencesPerWord] ^= (ulong.MaxValue >> (SequencesPerWord - taken)) << shift;
            first += taken;
            length -= taken;
        }
    }
}
