using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>
/// The leader's record of its rounds' results: which topics and streams are unsettled, where a topic too large for one packet resumes, and
/// whether anything advanced. Chooses the content of a new token. A topic that is settled and told is forgotten, so that a round costs
/// nothing for it.
/// </summary>
internal sealed class LeaderTable
{
    /// <summary>The most topics that are open: what others tell, made up or not, takes no place from the leader's own.</summary>
    private const int OpenMax = 2 * RingLimits.TopicsOpenMax;

    // Ascending by topic.
    private readonly List<LeaderTopic> _topics = [];
    private readonly Stack<LeaderTopic> _free = [];
    private readonly LeaderTopic[] _chosen = new LeaderTopic[RingLimits.TopicsMax];
    private readonly LeaderTopic[] _asked = new LeaderTopic[RingLimits.TopicsMax];
    private readonly Predicate<LeaderTopic> _isBehindTurn;
    private readonly RingTokenStream[] _streams = new RingTokenStream[RingLimits.StreamsKnownMax];
    private int _streamCount;
    private int _streamCursor;
    private ulong _rejectionsHash;
    private int _first;
    private int _end;
    private bool _mustAskAll;
    private uint _turn;

    public LeaderTable() => _isBehindTurn = topic => topic.Topic > _turn;

    /// <summary>A member is behind in a topic, or something did not fit.</summary>
    public bool IsUnsettled { get; private set; }

    /// <summary>A member did not yet have a release when the first round that asked for it passed.</summary>
    public bool IsBehind { get; private set; }

    /// <summary>A member is behind in a stream.</summary>
    public bool IsStreamUnsettled { get; private set; }

    /// <summary>The last round found higher values than any before, or other rejections.</summary>
    public bool HasProgress { get; private set; }

    /// <summary>The last round only continued a topic that does not fit one packet.</summary>
    public bool IsMidPass { get; private set; }

    /// <summary>The last round had no room for all that was open.</summary>
    public bool HasMore { get; private set; }

    /// <summary>Begins in a view, and gathers between these positions from now on.</summary>
    /// <param name="first">The leader's position, the first of its part.</param>
    /// <param name="end">The position behind the part's last one.</param>
    /// <param name="isLeading">
    /// Whether this member led before as well. Else it does not know what is open, and asks for all of its topics once.
    /// </param>
    public void OnView(int first, int end, bool isLeading)
    {
        _first = first;
        _end = end;
        _mustAskAll = !isLeading;
        for (int i = _topics.Count - 1; i >= 0; i--)
        {
            LeaderTopic topic = _topics[i];
            if (isLeading && !topic.IsSettled)
            {
                topic.Begin(topic.Topic, topic.Generation, first);
            }
            else
            {
                _free.Push(topic);
                _topics.RemoveAt(i);
            }
        }

        _streamCount = 0;
        _streamCursor = 0;
        IsUnsettled = false;
        IsBehind = false;
        IsStreamUnsettled = false;
        HasProgress = false;
        IsMidPass = false;
        HasMore = false;
    }

    /// <summary>
    /// Fills a new token with the streams and topics to ask for: the leader's own topics before those known only from members, and the
    /// longest-waiting first.
    /// </summary>
    public void Seed(RingToken token, IRingContribution contribution, ReportLog reports, FloorTable floors)
    {
        SeedStreams(token, contribution, floors);
        AddOpen(contribution, reports);
        ForgetSettled(reports);
        int count = Choose(token.TopicsMax, contribution);
        token.IsPartial = count < _topics.Count;
        for (int i = 0; i < count; i++)
        {
            if (!token.HasRoomInStep)
            {
                token.IsPartial = true;
                return;
            }

            LeaderTopic topic = _chosen[i];
            token.TryAddTopic(topic.Topic, topic.Generation, topic.Base, (ushort)topic.ResumeAt);
            topic.Ask();
        }
    }

    /// <summary>Processes a finished round.</summary>
    public void Take(RingToken token)
    {
        bool hasPassEnded = false;
        HasProgress = false;
        IsStreamUnsettled = false;
        IsUnsettled = token.IsPartial;
        IsBehind = false;
        foreach (RingTokenTopic entry in token.Topics)
        {
            if (entry.Covered > 0 && FindOrAdd(entry.Topic, entry.Generation, RingLimits.TopicsOpenMax) is { } topic)
            {
                topic.Base = Math.Max(topic.Base, entry.Base);
                if (topic.Take(token, entry, _end, out bool hasProgress))
                {
                    hasPassEnded = true;
                    IsBehind |= topic.IsBehind;
                }

                HasProgress |= hasProgress;
            }
        }

        foreach (LeaderTopic topic in _topics)
        {
            IsUnsettled |= !topic.IsSettled;
        }

        foreach (ref readonly RingTokenStream stream in token.Streams)
        {
            TakeStream(stream);
        }

        TakeRejections(token);
        HasMore = token.IsPartial;
        IsMidPass = HasMore && !hasPassEnded;
    }

    private void SeedStreams(RingToken token, IRingContribution contribution, FloorTable floors)
    {
        int count = contribution.StreamCount;
        for (int i = 0; i < Math.Min(count, RingLimits.StreamsMax); i++)
        {
            ulong origin = contribution.StreamAt((_streamCursor + i) % count).Origin;
            token.TryAddStream(new RingTokenStream
            {
                Origin = origin,
                MinContiguous = ulong.MaxValue,
                MinPosition = RingTokenStream.NoPosition,
                Floor = floors.Of(origin),
            });
        }

        _streamCursor = count > RingLimits.StreamsMax ? (_streamCursor + RingLimits.StreamsMax) % count : 0;
    }

    /// <summary>Adds what this member has to tell; one that does not know what is open has to ask for all that it has.</summary>
    private void AddOpen(IRingContribution contribution, ReportLog reports)
    {
        for (int i = 0; _mustAskAll && i < contribution.TopicCount; i++)
        {
            LevelRow row = contribution.TopicAt(i);
            if (RingTokenVisit.HighestOf(row) > 0 && FindOrAdd(row.Topic, row.Generation, OpenMax) is { } topic)
            {
                topic.IsNew = true;
            }
        }

        _mustAskAll = false;
        for (int i = 0; i < reports.TopicCount; i++)
        {
            LevelRow row = reports.TopicAt(i);
            if (FindOrAdd(row.Topic, row.Generation, OpenMax) is { } topic)
            {
                topic.IsNew |= reports.RoundAt(i) == 0;
            }
        }
    }

    /// <summary>Forgets what is settled and told.</summary>
    private void ForgetSettled(ReportLog reports)
    {
        int open = 0;
        for (int i = 0; i < _topics.Count; i++)
        {
            LeaderTopic topic = _topics[i];
            if (topic.IsSettled && !reports.IsOpen(topic.Topic))
            {
                _free.Push(topic);
            }
            else
            {
                _topics[open++] = topic;
            }
        }

        _topics.RemoveRange(open, _topics.Count - open);
    }

    /// <summary>
    /// Chooses the topics whose turn it is: of those that were asked for already a quarter of the token at least, and half of it at most,
    /// so that neither keeps out the other, nor what members have to tell by themselves. Returns how many.
    /// </summary>
    private int Choose(int most, IRingContribution contribution)
    {
        int first = _topics.FindIndex(_isBehindTurn);
        int asked = 0;
        int chosen = 0;
        for (int i = 0; i < _topics.Count; i++)
        {
            LeaderTopic topic = _topics[(Math.Max(0, first) + i) % _topics.Count];
            ulong highest = contribution.Find(topic.Topic, topic.Generation) is { } row ? RingTokenVisit.HighestOf(row) : 0;
            topic.IsOwn = highest > 0;
            topic.Base = highest > 0 ? highest : topic.Base;
            if (topic.IsNew)
            {
                chosen = Insert(_chosen, topic, chosen, most);
            }
            else
            {
                asked = Insert(_asked, topic, asked, most / 2);
            }
        }

        asked = Math.Min(asked, Math.Max(most / 4, most - chosen));
        chosen = Math.Min(chosen, most - asked);
        _turn = chosen > 0 ? _chosen[chosen - 1].Topic : _turn;
        _asked.AsSpan(0, asked).CopyTo(_chosen.AsSpan(chosen));
        return chosen + asked;
    }

    /// <summary>Puts a topic in its place among those chosen before, the last of which makes room; the number of them.</summary>
    private static int Insert(LeaderTopic[] into, LeaderTopic topic, int count, int most)
    {
        int place = count;
        while (place > 0 && IsBefore(topic, into[place - 1]))
        {
            place--;
        }

        if (place == most)
        {
            return count;
        }

        int last = Math.Min(count, most - 1);
        Array.Copy(into, place, into, place + 1, last - place);
        into[place] = topic;
        return last + 1;
    }

    private static bool IsBefore(LeaderTopic a, LeaderTopic b) => a.IsOwn != b.IsOwn ? a.IsOwn : a.LastRound < b.LastRound;

    /// <summary>The entry of a topic, advanced to a newer generation if needed; null for an older one, or when the table is full.</summary>
    private LeaderTopic? FindOrAdd(uint topic, uint generation, int openMax)
    {
        int low = 0;
        int high = _topics.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            LeaderTopic entry = _topics[middle];
            if (entry.Topic == topic)
            {
                if (generation > entry.Generation)
                {
                    entry.SetGeneration(generation);
                }

                return generation == entry.Generation ? entry : null;
            }

            (low, high) = entry.Topic < topic ? (middle + 1, high) : (low, middle - 1);
        }

        if (_topics.Count >= openMax)
        {
            return null;
        }

        LeaderTopic added = _free.TryPop(out LeaderTopic? used) ? used : new LeaderTopic();
        added.Begin(topic, generation, _first);
        _topics.Insert(low, added);
        return added;
    }

    private void TakeStream(in RingTokenStream stream)
    {
        if (stream.MinPosition == RingTokenStream.NoPosition)
        {
            return;
        }

        IsStreamUnsettled |= stream.MinContiguous < stream.Highest;
        int index = 0;
        while (index < _streamCount && _streams[index].Origin != stream.Origin)
        {
            index++;
        }

        if (index == _streamCount)
        {
            if (_streamCount == _streams.Length)
            {
                return;
            }

            _streams[_streamCount++] = new RingTokenStream { Origin = stream.Origin };
        }

        ref RingTokenStream known = ref _streams[index];
        HasProgress |= stream.MinContiguous > known.MinContiguous || stream.Highest > known.Highest;
        known.MinContiguous = Math.Max(known.MinContiguous, stream.MinContiguous);
        known.Highest = Math.Max(known.Highest, stream.Highest);
    }

    private void TakeRejections(RingToken token)
    {
        var hash = StableHash.Create();
        foreach (RingTokenRejection rejection in token.Rejections)
        {
            hash.Add(rejection.Position);
            hash.Add(((ulong)rejection.Topic << 32) | rejection.Generation);
            hash.Add(rejection.Release);
        }

        HasProgress |= token.Rejections.Length > 0 && hash.Value != _rejectionsHash;
        _rejectionsHash = hash.Value;
    }
}
