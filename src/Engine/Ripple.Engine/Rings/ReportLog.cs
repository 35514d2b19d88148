using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>
/// What this member has to tell and the rounds it was placed in, so that it does not repeat reports the sender already has. A report counts
/// as delivered when the sender acknowledged a round in which it was placed. The rounds of a report are kept as one contiguous range of one
/// leader's; a round whose winning token recorded this position as silent does not count. Levels that the sender has are forgotten: what
/// is told costs nothing from then on, in later views too.
/// </summary>
internal sealed class ReportLog
{
    internal const int TopicsMax = RingLimits.TopicsOpenMax;
    internal const int RejectionsMax = 1_024;
    // Ascending by topic.
    private Entry<LevelRow>[] _topics = new Entry<LevelRow>[16];
    private Entry<RejectionRow>[] _rejections = new Entry<RejectionRow>[4];
    private int _topicCount;
    private int _rejectionCount;
    private uint _toldLast;

    /// <summary>By how much the numbers of one leader's rounds differ.</summary>
    public ulong RoundStep { get; set; } = 1;

    /// <summary>The reports that are kept.</summary>
    public int Count => _topicCount + _rejectionCount;

    /// <summary>The topics that are not told.</summary>
    public int TopicCount => _topicCount;

    /// <summary>The first of the turn that comes: the topic behind the one that was told last.</summary>
    public int FirstOfTurn
    {
        get
        {
            int index = IndexOf(_toldLast);
            index = index < 0 ? ~index : index + 1;
            return index < _topicCount ? index : 0;
        }
    }

    /// <summary>The levels of a topic that is not told.</summary>
    public LevelRow TopicAt(int index) => _topics[index].What;

    /// <summary>The newest round in which they were placed; 0 for none.</summary>
    public ulong RoundAt(int index) => _topics[index].LastRound;

    /// <summary>Whether the levels of a topic are not told.</summary>
    public bool IsOpen(uint topic) => IndexOf(topic) >= 0;

    /// <summary>A view began: its rounds are numbered anew.</summary>
    public void OnView()
    {
        for (int i = 0; i < _topicCount; i++)
        {
            _topics[i] = new Entry<LevelRow> { What = _topics[i].What };
        }

        Array.Clear(_rejections);
        _rejectionCount = 0;
    }

    /// <summary>Takes up what changed, and learns from a token which round the sender acknowledged.</summary>
    public void OnToken(RingToken token, int position, IRingContribution contribution)
    {
        while (_topicCount < TopicsMax && contribution.TryTakeChanged(out LevelRow row))
        {
            OnChanged(row);
        }

        if (token.Confirmed == 0 || token.ConfirmedSilent.Contains((ushort)position))
        {
            return;
        }

        int kept = 0;
        for (int i = 0; i < _topicCount; i++)
        {
            _topics[i].Confirm(token.Confirmed, RoundStep);
            if (!_topics[i].IsConfirmed)
            {
                _topics[kept++] = _topics[i];
            }
        }

        _topicCount = kept;
        foreach (ref Entry<RejectionRow> entry in _rejections.AsSpan(0, _rejectionCount))
        {
            entry.Confirm(token.Confirmed, RoundStep);
        }
    }

    /// <summary>Levels of this member are in the token of a round.</summary>
    /// <param name="row">The levels.</param>
    /// <param name="round">The round.</param>
    /// <param name="isTurn">Whether this member added the topic: the next turn begins behind it.</param>
    public void OnPlaced(in LevelRow row, ulong round, bool isTurn)
    {
        _toldLast = isTurn ? row.Topic : _toldLast;
        int index = IndexOf(row.Topic);
        if (index >= 0)
        {
            _topics[index].OnPlaced(round, RoundStep);
        }
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

    private void OnChanged(in LevelRow row)
    {
        int index = IndexOf(row.Topic);
        if (RingTokenVisit.HighestOf(row) == 0)
        {
            // Of a generation in which it has nothing yet.
            if (index >= 0)
            {
                Array.Copy(_topics, index + 1, _topics, index, --_topicCount - index);
            }

            return;
        }

        if (index < 0)
        {
            if (_topicCount == _topics.Length)
            {
                Array.Resize(ref _topics, _topicCount * 2);
            }

            index = ~index;
            Array.Copy(_topics, index, _topics, index + 1, _topicCount - index);
            _topicCount++;
        }

        _topics[index] = new Entry<LevelRow> { What = row };
    }

    /// <summary>The place of a topic; where it is not, the complement of the place it would get.</summary>
    private int IndexOf(uint topic)
    {
        int low = 0;
        int high = _topicCount - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            uint found = _topics[middle].What.Topic;
            if (found == topic)
            {
                return middle;
            }

            (low, high) = found < topic ? (middle + 1, high) : (low, middle - 1);
        }

        return ~low;
    }

    /// <summary>Checks the hint first: members list their entries in a stable order, so that it is nearly always right.</summary>
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

        public readonly ulong LastRound => _lastRound;

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
