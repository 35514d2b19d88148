using Ripple.Engine.Memory;

namespace Ripple.Engine.Wire;

/// <summary>
/// Tracks which of the newest <see cref="Size"/> numbers of one sealer and class were seen. Older ones are refused, seen or not, and so
/// are numbers too far ahead: one packet cannot shut out all that are honest for long. Core thread.
/// </summary>
internal sealed class ReplayWindow
{
    /// <summary>How many numbers are tracked, including the newest.</summary>
    public const int Size = 1_024;

    /// <summary>How far ahead of the newest a number may be. The first of a window may be any: a joiner knows no counts.</summary>
    public const ulong LeapMax = 1UL << 20;

    /// <summary>The memory of one window: the object, its bits, and its share of the table that holds it.</summary>
    internal const int Bytes = MemoryBudget.ObjectBytes + 48 + MemoryBudget.ArrayBytes + (Size / 8) + 40;

    private readonly ulong[] _seen = new ulong[Size / 64];
    private ulong _newest;
    private RefusedRun _refused;

    /// <summary>True when the number was not seen and is not too old. Numbers count from 1; 0 is never fresh.</summary>
    public bool IsFresh(ulong number)
    {
        if (number > _newest)
        {
            return _newest == 0 || number - _newest <= LeapMax;
        }

        return number != 0 && _newest - number < Size && (_seen[Word(number)] & Bit(number)) == 0;
    }

    /// <summary>
    /// Marks a fresh number as seen. Call only after its packet was authenticated: a forged number would push the window past the honest
    /// ones.
    /// </summary>
    public void Mark(ulong number)
    {
        if (number > _newest)
        {
            if (number - _newest >= Size)
            {
                Array.Clear(_seen);
            }
            else
            {
                // The bits form a ring: those of numbers that leave the window must not count for numbers that enter it.
                for (ulong n = _newest + 1; n < number; n++)
                {
                    _seen[Word(n)] &= ~Bit(n);
                }
            }

            _newest = number;
        }

        _seen[Word(number)] |= Bit(number);
    }

    /// <summary>Counts a number that is not fresh; true if its packet should be authenticated before <see cref="IsDeafAfter"/>.</summary>
    public bool MustProve(ulong number, long nowNs) =>
        // What was seen within the window is a repetition, and says nothing.
        (number > _newest || _newest - number >= Size) && _refused.MustProve(number, nowNs);

    /// <inheritdoc cref="RefusedRun.IsDeafAfter"/>
    public bool IsDeafAfter(ulong number, long nowNs) => _refused.IsDeafAfter(number, nowNs);

    /// <summary>Forgets everything, for another key epoch.</summary>
    internal void Clear()
    {
        Array.Clear(_seen);
        _newest = 0;
        _refused = default;
    }

    private static int Word(ulong number) => (int)(number % Size / 64);

    private static ulong Bit(ulong number) => 1UL << (int)(number % 64);
}
