namespace Ripple.Engine.Rings;

/// <summary>The highest floor seen per stream. Bounded: the oldest entry is replaced when full, which at worst repeats a floor.</summary>
internal sealed class FloorTable
{
    private readonly (ulong Origin, ulong Floor)[] _entries = new (ulong, ulong)[RingLimits.StreamsKnownMax];
    private int _count;
    private int _oldest;

    public ulong Of(ulong origin)
    {
        int index = IndexOf(origin);
        return index < 0 ? 0 : _entries[index].Floor;
    }

    /// <summary>Records a floor; true when it is higher than any before.</summary>
    public bool TryRaise(ulong origin, ulong floor)
    {
        int index = IndexOf(origin);
        if (floor == 0 || (index >= 0 && _entries[index].Floor >= floor))
        {
            return false;
        }

        if (index < 0)
        {
            index = _count < _entries.Length ? _count++ : _oldest++ % _entries.Length;
        }

        _entries[index] = (origin, floor);
        return true;
    }

    private int IndexOf(ulong origin)
    {
        for (int i = 0; i < _count; i++)
        {
            if (_entries[i].Origin == origin)
            {
                return i;
            }
        }

        return -1;
    }
}
