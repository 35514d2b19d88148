using Ripple.Engine.Core;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>
/// The leader's record of its rounds' results: which topics and streams are unsettled, where a topic too large for one packet resumes, and
/// whether anything advanced. Chooses the content of a new token. Cleared with the view.
/// </summary>
internal sealed class LeaderTable
{
    private readonly List<LeaderTopic> _topics = [];
    private readonly RingTokenStream[] _streams = new RingTokenStream[RingLimits.StreamsKnownMax];
    private int _streamCount;
    private int _streamCursor;
    private ulong _rejectionsHash;
    private int _first;
    private int _end;

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

    /// <summary>Forgets all, and gathers between these positions from now on.</summary>
    /// <param name="first">The leader's position, the first of its part.</param>
    /// <param name="end">The position behind the part's last one.</param>
    public void Clear(int first, int end)
    {
        _first = first;
        _end = end;
        _topics.Clear();
        _streamCount = 0;
        _streamCursor = 0;
        IsUnsettled = false;
        IsBehind = false;
        IsStreamUnsettled = false;
        HasProgress = false;
        IsMidPass = false;
    }

    /// <summary>
    /// Fills a new token with the streams and topics to ask for: the leader's own topics before those known only from members, and the
    /// longest-waiting first.
    /// </summary>
    public void Seed(RingToken token, IRingContribution contribution, ReportLog reports, FloorTable floors)
    {
        SeedStreams(token, contribution, floors);
        MarkCandidates(contribution, reports);
        while (NextCandidate() is { } topic)
        {
            if (token.TryAddTopic(topic.Topic, topic.Generation, topic.Base, (ushort)topic.ResumeAt) is null)
            {
                token.IsPartial = true;
                return;
            }

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
            if (entry.Covered > 0 && FindOrAdd(entry.Topic, entry.Generation) is { } topic)
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
        IsMidPass = token.IsPartial && !hasPassEnded;
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

    private void MarkCandidates(IRingContribution contribution, ReportLog reports)
    {
        foreach (LeaderTopic topic in _topics)
        {
            topic.IsOwn = false;
            topic.IsCandidate = !topic.IsSettled;
        }

        int count = Math.Min(contribution.TopicCount, ReportLog.TopicsMax);
        for (int i = 0; i < count; i++)
        {
            LevelRow row = contribution.TopicAt(i);
            ulong highest = RingTokenVisit.HighestOf(row);
            if (highest == 0 || FindOrAdd(row.Topic, row.Generation) is not { } topic)
            {
                continue;
            }

            topic.IsOwn = true;
            topic.Base = highest;
            topic.IsCandidate = !topic.IsSettled || !reports.IsTold(row, i);
        }
    }

    private LeaderTopic? NextCandidate()
    {
        LeaderTopic? best = null;
        foreach (LeaderTopic topic in _topics)
        {
            if (topic.IsCandidate && (best is null || IsBefore(topic, best)))
            {
                best = topic;
            }
        }

        return best;
    }

    private static bool IsBefore(LeaderTopic a, LeaderTopic b) => a.IsOwn != b.IsOwn ? a.IsOwn : a.LastRound < b.LastRound;

    /// <summary>The entry of a topic, advanced to a newer generation if needed; null for an older one, or when the table is full.</summary>
    private LeaderTopic? FindOrAdd(uint topic, uint generation)
    {
        foreach (LeaderTopic entry in _topics)
        {
            if (entry.Topic != topic)
            {
                continue;
            }

            if (generation > entry.Generation)
            {
                entry.SetGeneration(generation);
            }

            return generation == entry.Generation ? entry : null;
        }

        if (_topics.Count == ReportLog.TopicsMax)
        {
            return null;
        }

        var added = new LeaderTopic { Topic = topic, First = _first };
        added.SetGeneration(generation);
        _topics.Add(added);
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
