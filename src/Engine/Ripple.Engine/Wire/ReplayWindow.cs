namespace Ripple.Engine.Wire;

/// <summary>Which numbers of one sealer and class were seen: the newest and the <see cref="Size"/> before it. Older ones are refused. Core thread.</summary>
public sealed class ReplayWindow
{
    /// <summary>How far a packet may be behind the newest of its class.</summary>
    public const int Size = 1_024;

    private readonly ulong[] _seen = new ulong[Size / 64];
    private ulong _newest;

    /// <summary>True when the number was not seen and is not too old.</summary>
    public bool IsFresh(ulong number)
    {
        if (number > _newest)
        {
            return true;
        }

        return _newest - number < Size && (_seen[Word(number)] & Bit(number)) == 0;
    }

    /// <summary>Marks a number as seen; only after its packet was authenticated.</summary>
    public void Mark(ulong number)
    {
        if (number > _newest)
        {
            ulong gap = number - _newest;
            if (gap >= Size)
            {
                Array.Clear(_seen);
            }
            else
            {
                for (ulong n = _newest + 1; n < number; n++)
                {
                    _seen[Word(n)] &= ~Bit(n);
                }
            }

            _newest = number;
        }

        _seen[Word(number)] |= Bit(number);
    }

    private static int Word(ulong number) => (int)(number % Size / 64);

    private static ulong Bit(ulong number) => 1UL << (int)(number % 64);
}
