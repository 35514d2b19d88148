namespace Ripple.Engine.Rings;

/// <summary>
/// The leader's grace time for silent members: one that fell silent recently may only have lost packets, so a stream's minimum does not
/// rise above its value while that member still answered. After the grace time the member is excluded from the minimum until it answers
/// again.
/// </summary>
internal sealed class SilentGrace(RingOptions options)
{
    private readonly (ushort Position, long SinceNs)[] _silent = new (ushort, long)[RingLimits.SilentMax];
    private readonly (ushort Position, long SinceNs)[] _next = new (ushort, long)[RingLimits.SilentMax];
    private readonly (ulong Origin, ulong Min)[] _minima = new (ulong, ulong)[RingLimits.StreamsKnownMax];
    private int _silentCount;
    private int _minimumCount;

    public void Clear()
    {
        _silentCount = 0;
        _minimumCount = 0;
    }

    /// <summary>
    /// Processes a finished round and holds back its minima. True while a member has been silent for less than the grace time.
    /// </summary>
    public bool Apply(RingToken token, long nowNs)
    {
        int fresh = -1;
        int count = 0;
        foreach (ushort position in token.Silent)
        {
            long sinceNs = SinceOf(position, nowNs);
            _next[count++] = (position, sinceNs);
            if (nowNs - sinceNs < options.SilentGraceNs)
            {
                fresh = position;
            }
        }

        _next.AsSpan(0, count).CopyTo(_silent);
        _silentCount = count;
        for (int i = 0; i < token.Streams.Length; i++)
        {
            HoldBack(ref token.StreamAt(i), fresh);
        }

        return fresh >= 0;
    }

    private long SinceOf(ushort position, long nowNs)
    {
        for (int i = 0; i < _silentCount; i++)
        {
            if (_silent[i].Position == position)
            {
                return _silent[i].SinceNs;
            }
        }

        return nowNs;
    }

    private void HoldBack(ref RingTokenStream stream, int fresh)
    {
        if (stream.MinPosition == RingTokenStream.NoPosition)
        {
            return;
        }

        int index = 0;
        while (index < _minimumCount && _minima[index].Origin != stream.Origin)
        {
            index++;
        }

        if (fresh >= 0 && index == _minimumCount)
        {
            // It is not known yet which sequences the silent member has.
            stream.MinContiguous = ulong.MaxValue;
            stream.MinPosition = RingTokenStream.NoPosition;
            return;
        }

        if (fresh >= 0 && stream.MinContiguous > _minima[index].Min)
        {
            stream.MinContiguous = _minima[index].Min;
            stream.MinPosition = (ushort)fresh;
            return;
        }

        if (index < _minima.Length)
        {
            _minima[index] = (stream.Origin, stream.MinContiguous);
            _minimumCount = Math.Max(_minimumCount, index + 1);
        }
    }
}
