namespace Ripple.Engine.Rings;

/// <content>The topics of a token, with their runs of equal lags in one arena.</content>
internal sealed partial class RingToken
{
    /// <summary>The longest run whose length is one byte.</summary>
    internal const int RunShortMax = 127;

    private readonly byte[] _lags = new byte[RunsMax];
    private readonly ushort[] _runs = new ushort[RunsMax];
    private readonly short[] _nexts = new short[RunsMax];
    private int _runCount;

    /// <summary>Whether this member may put another topic into it.</summary>
    internal bool MayAddTopic => _topicCount < TopicsMax;

    /// <summary>Whether another topic would fit if all members of the ring had the same in each topic.</summary>
    internal bool HasRoomInStep =>
        (_topicCount + 1) * (TopicBytes + (RingTokenTopic.LevelCount * (Positions > RunShortMax ? 3 : 2))) <= TopicsBytesMax;

    internal RingTokenTopic? TryAddTopic(uint topic, uint generation, ulong baseRelease, ushort from, ushort until = RingTokenTopic.Open)
    {
        if (_topicCount == _topics.Length)
        {
            return null;
        }

        RingTokenTopic entry = _topics[_topicCount++];
        entry.Set(topic, generation, baseRelease, from, until);
        return entry;
    }

    internal void RemoveTopic(RingTokenTopic entry)
    {
        int index = Array.IndexOf(_topics, entry, 0, _topicCount);
        Array.Copy(_topics, index + 1, _topics, index, _topicCount - index - 1);
        _topics[--_topicCount] = entry;
    }

    /// <summary>
    /// Adds the next position's lags. The arena has room: a packet holds at most 682 runs, one visit adds 120, and skips before the next
    /// packet add 120.
    /// </summary>
    internal void Append(RingTokenTopic entry, byte received, byte persisted, byte applied)
    {
        AppendRun(entry, 0, received, 1);
        AppendRun(entry, 1, persisted, 1);
        AppendRun(entry, 2, applied, 1);
        entry.Covered++;
    }

    /// <summary>Removes the last position's lags.</summary>
    internal void RemoveLast(RingTokenTopic entry)
    {
        for (int level = 0; level < RingTokenTopic.LevelCount; level++)
        {
            int tail = entry.Tails[level];
            if (--_runs[tail] > 0)
            {
                continue;
            }

            int previous = -1;
            for (int node = entry.Heads[level]; node != tail; node = _nexts[node])
            {
                previous = node;
            }

            entry.Tails[level] = (short)previous;
            if (previous < 0)
            {
                entry.Heads[level] = -1;
            }
            else
            {
                _nexts[previous] = -1;
            }
        }

        entry.Covered--;
    }

    /// <summary>Converts the lags to a higher base. Lags that become too large are no longer exact.</summary>
    internal void RaiseBase(RingTokenTopic entry, ulong baseRelease)
    {
        ulong delta = baseRelease - entry.Base;
        entry.Base = baseRelease;
        for (int level = 0; level < RingTokenTopic.LevelCount; level++)
        {
            int previous = -1;
            for (int node = entry.Heads[level]; node >= 0; node = _nexts[node])
            {
                if (_lags[node] <= RingLimits.LagExactMax)
                {
                    ulong lag = _lags[node] + delta;
                    _lags[node] = lag > LagExactMax || lag < delta ? RingLimits.LagFar : (byte)lag;
                }

                if (previous >= 0 && _lags[previous] == _lags[node])
                {
                    _runs[previous] += _runs[node];
                    _nexts[previous] = _nexts[node];
                    if (entry.Tails[level] == node)
                    {
                        entry.Tails[level] = (short)previous;
                    }
                }
                else
                {
                    previous = node;
                }
            }
        }
    }

    /// <summary>Adds a run, merged into the last one if their lags are equal.</summary>
    internal void AppendRun(RingTokenTopic entry, int level, byte lag, ushort run)
    {
        int tail = entry.Tails[level];
        if (tail >= 0 && _lags[tail] == lag)
        {
            _runs[tail] += run;
            return;
        }

        int node = _runCount++;
        _lags[node] = lag;
        _runs[node] = run;
        _nexts[node] = -1;
        if (tail < 0)
        {
            entry.Heads[level] = (short)node;
        }
        else
        {
            _nexts[tail] = (short)node;
        }

        entry.Tails[level] = (short)node;
    }

    /// <summary>Iterates over the runs of a level: start with node -1; false at the end.</summary>
    internal bool NextRun(RingTokenTopic entry, int level, ref int node, out byte lag, out ushort run)
    {
        node = node < 0 ? entry.Heads[level] : _nexts[node];
        if (node < 0)
        {
            lag = 0;
            run = 0;
            return false;
        }

        lag = _lags[node];
        run = _runs[node];
        return true;
    }

    private int TopicsBytes()
    {
        int bytes = 0;
        foreach (RingTokenTopic entry in Topics)
        {
            bytes += TopicBytes;
            for (int level = 0; level < RingTokenTopic.LevelCount; level++)
            {
                for (int node = entry.Heads[level]; node >= 0; node = _nexts[node])
                {
                    bytes += _runs[node] > RunShortMax ? 3 : 2;
                }
            }
        }

        return bytes;
    }
}

/// <summary>
/// One topic in a token: a base release, and for each level the lags behind it of the ring positions from <see cref="From"/> up to, but not
/// including, <see cref="Until"/>, as far as the token has traveled. Reused: valid until the token is cleared or read into.
/// </summary>
internal sealed class RingTokenTopic
{
    /// <summary>The <see cref="Until"/> of a topic that includes all following positions.</summary>
    public const ushort Open = ushort.MaxValue;

    internal const int LevelCount = 3;

    /// <summary>The application's number.</summary>
    public uint Topic { get; internal set; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; internal set; }

    /// <summary>The release that lags are counted from: the highest level seen.</summary>
    public ulong Base { get; internal set; }

    /// <summary>The first position included.</summary>
    public ushort From { get; internal set; }

    /// <summary>The first position that did not fit; <see cref="Open"/> while all do.</summary>
    public ushort Until { get; internal set; }

    /// <summary>The number of positions included.</summary>
    public int Covered { get; internal set; }

    internal bool IsOpen => Until == Open;

    internal short[] Heads { get; } = new short[LevelCount];

    internal short[] Tails { get; } = new short[LevelCount];

    internal void Set(uint topic, uint generation, ulong baseRelease, ushort from, ushort until)
    {
        Topic = topic;
        Generation = generation;
        Base = baseRelease;
        From = from;
        Until = until;
        Covered = 0;
        Heads.AsSpan().Fill(-1);
        Tails.AsSpan().Fill(-1);
    }
}
