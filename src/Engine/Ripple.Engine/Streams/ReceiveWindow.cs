using System.Numerics;

namespace Ripple.Engine.Streams;

/// <summary>Tracks which sequences arrived: all up to one, and a bit for each of a fixed number above it.</summary>
internal sealed class ReceiveWindow(ulong firstSequence)
{
    public const int Packets = 8_192;
    private const int BitsPerWord = 64;
    private readonly ulong[] _bits = new ulong[Packets / BitsPerWord];

    /// <summary>Everything from the first sequence owed up to here arrived or was skipped.</summary>
    public ulong Contiguous { get; private set; } = firstSequence - 1;

    /// <summary>The highest sequence that arrived, or was skipped.</summary>
    public ulong Highest { get; private set; } = firstSequence - 1;

    /// <summary>The highest sequence there is a bit for.</summary>
    public ulong Limit => Contiguous + Packets;

    public bool IsReceived(ulong sequence) => sequence <= Contiguous || (sequence <= Limit && (Word(sequence) & Bit(sequence)) != 0);

    /// <summary>Marks a sequence as arrived; it must be above the contiguous ones and within the limit.</summary>
    public void Mark(ulong sequence)
    {
        Highest = Math.Max(Highest, sequence);
        if (sequence == Contiguous + 1)
        {
            Contiguous++;
            Advance();
        }
        else
        {
            Word(sequence) |= Bit(sequence);
        }
    }

    /// <summary>Counts everything below a sequence as arrived; the sequence must be above the contiguous ones.</summary>
    public void SkipTo(ulong first)
    {
        ulong last = Math.Min(first - 1, Limit);
        for (ulong sequence = Contiguous + 1; sequence <= last; sequence++)
        {
            Word(sequence) &= ~Bit(sequence);
        }

        Contiguous = first - 1;
        Highest = Math.Max(Highest, Contiguous);
        Advance();
    }

    /// <summary>
    /// The first sequence at or after <paramref name="from"/> that arrived, or that is missing if <paramref name="isReceived"/> is false;
    /// one above the limit when there is none. Both bounds must be above the contiguous sequences and within the window.
    /// </summary>
    public ulong Next(ulong from, ulong limit, bool isReceived)
    {
        while (from <= limit)
        {
            int shift = (int)(from % BitsPerWord);
            ulong word = (isReceived ? Word(from) : ~Word(from)) >> shift;
            if (word != 0)
            {
                return Math.Min(from + (ulong)BitOperations.TrailingZeroCount(word), limit + 1);
            }

            from += (ulong)(BitsPerWord - shift);
        }

        return limit + 1;
    }

    /// <summary>
    /// A bit for each missing one of the 64 sequences that start at 64 times <paramref name="number"/>, above the contiguous ones and up to
    /// a limit within the window.
    /// </summary>
    public ulong Missing(ulong number, ulong limit)
    {
        ulong first = number * BitsPerWord;
        ulong missing = ~Word(first);
        if (first <= Contiguous)
        {
            ulong taken = Contiguous - first + 1;
            missing &= taken < BitsPerWord ? ulong.MaxValue << (int)taken : 0;
        }

        if (limit < first + BitsPerWord - 1)
        {
            missing &= limit < first ? 0 : ulong.MaxValue >> (BitsPerWord - 1 - (int)(limit - first));
        }

        return missing;
    }

    private static ulong Bit(ulong sequence) => 1UL << (int)(sequence % BitsPerWord);

    private ref ulong Word(ulong sequence) => ref _bits[(int)(sequence % Packets / BitsPerWord)];

    private void Advance()
    {
        while ((Word(Contiguous + 1) & Bit(Contiguous + 1)) != 0)
        {
            Contiguous++;
            Word(Contiguous) &= ~Bit(Contiguous);
        }
    }
}
