using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>
/// The reports of this member and the rounds they were placed in, so that it does not repeat reports the sender already has. A report
/// counts as delivered when the sender acknowledged a round in which it was placed. The rounds of a report are kept as one contiguous
/// range of one leader's; a round whose winning token recorded this position as silent does not count. Cleared with the view.
/// </summary>
internal sealed class ReportLog
{
    internal const int TopicsMax = 256;
    internal const int RejectionsMax = 1_024;
    private Entry<LevelRow>[] _topics = new Entry<LevelRow>[16];
    private Entry<RejectionRow>[] _rejections = new Entry<RejectionRow>[4];
    private int _topicCount;
    private int _rejectionCount;

    /// <summary>By how much the numbers of one leader's rounds differ.</summary>
    public ulong RoundStep { get; set; } = 1;

    /// <summary>The reports that are kept.</summary>
    public int Count => _topicCount + _rejectionCount;

    public void Clear()
    {
        _topicCount = 0;
        Array.Clear(_rejections);
        _rejectionCount = 0;
    }

    /// <summary>Learns from a token which round the sender acknowledged.</summary>
    public void OnToken(RingToken token, int position)
    {
        if (token.Confirmed == 0 || token.ConfirmedSilent.Contains((ushort)position))
        {
            return;
        }

        foreach (ref Entry<LevelRow> entry in _topics.AsSpan(0, _topicCount))
        {
            entry.Confirm(token.Confirmed, RoundStep);
        }

        foreach (ref Entry<RejectionRow> entry in _rejections.AsSpan(0, _rejectionCount))
        {
            entry.Confirm(token.Confirmed, RoundStep);
        }
    }

    /// <summary>True when the sender has exactly these levels.</summary>
    public bool IsTold(in LevelRow row, int hint)
    {
        int index = IndexOf(row.Topic, hint);
        return index >= 0 && _topics[index].IsConfirmed && _topics[index].What == row;
    }

    public void OnPlaced(in LevelRow row, int hint, ulong round)
    {
        int index = IndexOf(row.Topic, hint);
        if (index < 0)
        {
            if (_topicCount == TopicsMax)
            {
                return;
            }

            index = _topicCount++;
            if (index == _topics.Length)
            {
                Array.Resize(ref _topics, index * 2);
            }

            _topics[index] = new Entry<LevelRow> { What = row };
        }

        ref Entry<LevelRow> entry = ref _topics[index];
        if (entry.What != row)
        {
            entry = new Entry<LevelRow> { What = row };
        }

        entry.OnPlaced(round, RoundStep);
    }

    /// <summary>True when the sender has this rejection.</summary>
    public bool IsTold(RejectionRow row, int hint)
    {
        int index = IndexOf(row, hint);
        return index >= 0 && _rejections[index].IsConfirmed;
    }

    public void OnPlaced(RejectionRow row, int hint, ulong round)
    {
        int index = IndexOf(row, hint);
        if (index < 0)
        {
            if (_rejectionCount == RejectionsMax)
            {
                return;
            }

            index = _rejectionCount++;
            if (index == _rejections.Length)
            {
                Array.Resize(ref _rejections, index * 2);
            }

            _rejections[index] = new Entry<RejectionRow> { What = row };
        }

        _rejections[index].OnPlaced(round, RoundStep);
    }

    /// <summary>Checks the hint first: members list their entries in a stable order, so that it is nearly always right.</summary>
    private int IndexOf(uint topic, int hint)
    {
        if (hint < _topicCount && _topics[hint].What.Topic == topic)
        {
            return hint;
        }

        for (int i = 0; i < _topicCount; i++)
        {
            if (_topics[i].What.Topic == topic)
            {
                return i;
            }
        }

        return -1;
    }

    private int IndexOf(RejectionRow row, int hint)
    {
        if (hint < _rejectionCount && IsSame(_rejections[hint].What, row))
        {
            return hint;
        }

        for (int i = 0; i < _rejectionCount; i++)
        {
            if (IsSame(_rejections[i].What, row))
            {
                return i;
            }
        }

        return -1;
    }

    private static bool IsSame(RejectionRow a, RejectionRow b) =>
        a.Topic == b.Topic && a.Generation == b.Generation && a.Release == b.Release;

    private struct Entry<T>
    {
        private ulong _firstRound;
        private ulong _lastRound;

        public T What { get; init; }

        public bool IsConfirmed { get; private set; }

        public void OnPlaced(ulong round, ulong step)
        {
            if (_lastRound == 0 || _lastRound + step != round)
            {
                _firstRound = round;
            }

            _lastRound = round;
        }

        public void Confirm(ulong round, ulong step) => IsConfirmed |=
            _firstRound > 0 && round >= _firstRound && round <= _lastRound && (round - _firstRound) % step == 0;
    }
}
