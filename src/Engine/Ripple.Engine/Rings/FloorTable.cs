namespace Ripple.Engine.Rings;

/// <summary>The highest floor seen of each stream. Bounded: the oldest entry makes room, which costs a repeated floor at most.</summary>
internal sealed class FloorTable
{
    private const int OriginsMax = 16;
    private readonly (ulong Origin, ulong Floor)[] _entries = new (ulong, ulong)[OriginsMax];
    private int _count;
    private int _oldest;

    public ulong Of(ulong origin)
    {
        int index = IndexOf(origin);
        return index < 0 ? 0 : _entries[index].Floor;
    }

    /// <summary>True when the floor is higher than any before.</summary>
    public bool TryRaise(ulong origin, ulong floor)
    {
        int index = IndexOf(origin);
        if (floor == 0 || (index >= 0 && _entries[index].Floor >= floor))
        {
            return false;
        }

        if (index < 0)
        {
            index = _count < OriginsMax ? _count++ : _oldest++ % OriginsMax;
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
