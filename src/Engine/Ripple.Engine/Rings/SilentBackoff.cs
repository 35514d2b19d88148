namespace Ripple.Engine.Rings;

/// <summary>
/// Positions that recently did not answer this member. They are skipped without a try for a while, so that a dead member costs a round its
/// timeout only occasionally. Bounded; positions that do not fit are tried each round.
/// </summary>
internal sealed class SilentBackoff(RingOptions options)
{
    private readonly Entry[] _entries = new Entry[RingLimits.SilentMax];
    private int _count;

    public void Clear() => _count = 0;

    public bool IsSkipped(int position, long nowNs)
    {
        int index = IndexOf(position);
        return index >= 0 && nowNs < _entries[index].RetryNs;
    }

    public void Remember(int position, long nowNs)
    {
        int index = IndexOf(position);
        if (index < 0)
        {
            if (_count == _entries.Length)
            {
                return;
            }

            index = _count++;
            _entries[index] = new Entry(position, 0, options.SilentRetryMinNs / 2);
        }

        long delayNs = Math.Min(options.SilentRetryMaxNs, _entries[index].DelayNs * 2);
        _entries[index] = new Entry(position, nowNs + delayNs, delayNs);
    }

    /// <summary>The position showed a sign of life.</summary>
    public void Forget(int position)
    {
        int index = IndexOf(position);
        if (index >= 0)
        {
            _entries[index] = _entries[--_count];
        }
    }

    private int IndexOf(int position)
    {
        for (int i = 0; i < _count; i++)
        {
            if (_entries[i].Position == position)
            {
                return i;
            }
        }

        return -1;
    }

    private readonly record struct Entry(int Position, long RetryNs, long DelayNs);
}
