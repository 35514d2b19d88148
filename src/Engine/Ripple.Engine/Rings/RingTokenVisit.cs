using Ripple.Engine.Releases;

namespace Ripple.Engine.Rings;

/// <summary>Updates a token at one position: a member adds its contribution, or the member before it marks it as silent.</summary>
internal static class RingTokenVisit
{
    /// <summary>Adds a member's contribution; the token's next position must be this one. The token fits its budget afterward.</summary>
    /// <param name="token">The token.</param>
    /// <param name="position">The member's position.</param>
    /// <param name="contribution">What it has.</param>
    /// <param name="reports">What it has not told.</param>
    /// <param name="isLeader">
    /// Whether it leads: it has taken up what changed, and has put into the token what it has to tell, and the room left is the others'.
    /// </param>
    public static void Visit(RingToken token, int position, IRingContribution contribution, ReportLog reports, bool isLeader = false)
    {
        if (!isLeader)
        {
            reports.OnToken(token, position, contribution);
        }

        AddStreams(token, position, contribution);
        foreach (RingTokenTopic entry in token.Topics)
        {
            if (entry.IsOpen && entry.From <= position)
            {
                Append(token, entry, contribution.Find(entry.Topic, entry.Generation));
            }
        }

        int before = token.Topics.Length;
        if (!isLeader)
        {
            AddTopics(token, position, reports);
        }

        AddRejections(token, position, contribution, reports);
        Close(token, position);
        token.Visited++;
        for (int i = 0; i < token.Topics.Length; i++)
        {
            RingTokenTopic entry = token.Topics[i];
            if (entry.IsOpen && entry.From <= position && contribution.Find(entry.Topic, entry.Generation) is { } row)
            {
                reports.OnPlaced(row, token.Round, isTurn: i >= before);
            }
        }
    }

    /// <summary>Marks the next position as silent.</summary>
    public static void MarkSilent(RingToken token)
    {
        ushort position = token.Visited;
        foreach (RingTokenTopic entry in token.Topics)
        {
            if (entry.IsOpen && entry.From <= position)
            {
                Append(token, entry, null);
            }
        }

        token.AddSilent(position);
        Close(token, position);
        token.Visited++;
    }

    public static ulong HighestOf(in LevelRow row) => Math.Max(row.Received, Math.Max(row.Persisted, row.Applied));

    private static void AddStreams(RingToken token, int position, IRingContribution contribution)
    {
        int count = contribution.StreamCount;
        for (int i = 0; i < count; i++)
        {
            StreamProgress progress = contribution.StreamAt(i);
            int index = token.IndexOfStream(progress.Origin);
            if (index < 0)
            {
                index = token.Streams.Length;
                var added = new RingTokenStream
                {
                    Origin = progress.Origin,
                    MinContiguous = ulong.MaxValue,
                    MinPosition = RingTokenStream.NoPosition,
                };
                if (!token.TryAddStream(added))
                {
                    return;
                }

                if (!token.IsWithinBudget)
                {
                    // What was told of topics before takes the room.
                    token.RemoveLastStream();
                    return;
                }
            }

            ref RingTokenStream stream = ref token.StreamAt(index);
            stream.Highest = Math.Max(stream.Highest, Math.Max(progress.Highest, progress.Contiguous));
            if (progress.Contiguous < stream.MinContiguous)
            {
                stream.MinContiguous = progress.Contiguous;
                stream.MinPosition = (ushort)position;
            }
        }
    }

    /// <summary>Adds topics that the token does not contain and whose levels the sender does not have yet, in turns.</summary>
    private static void AddTopics(RingToken token, int position, ReportLog reports)
    {
        int count = reports.TopicCount;
        int first = reports.FirstOfTurn;
        for (int i = 0; i < count; i++)
        {
            LevelRow row = reports.TopicAt((first + i) % count);
            if (IsTaken(token, row))
            {
                continue;
            }

            if (!token.MayAddTopic
                || !token.HasRoomInStep
                || token.TryAddTopic(row.Topic, row.Generation, HighestOf(row), (ushort)position) is not { } entry)
            {
                token.IsPartial = true;
                return;
            }

            Append(token, entry, row);
        }
    }

    /// <summary>True when the token contains the topic, in this generation or a newer one.</summary>
    private static bool IsTaken(RingToken token, in LevelRow row)
    {
        foreach (RingTokenTopic entry in token.Topics)
        {
            if (entry.Topic == row.Topic && entry.Generation >= row.Generation)
            {
                return true;
            }
        }

        return false;
    }

    private static void AddRejections(RingToken token, int position, IRingContribution contribution, ReportLog reports)
    {
        int count = Math.Min(contribution.RejectionCount, ReportLog.RejectionsMax);
        for (int i = 0; i < count; i++)
        {
            RejectionRow row = contribution.RejectionAt(i);
            if (reports.IsTold(row, i))
            {
                continue;
            }

            RingTokenRejection? rejection = token.TryAddRejection();
            if (rejection is null)
            {
                token.IsPartial = true;
                return;
            }

            rejection.Set((ushort)position, row.Topic, row.Generation, row.Release, row.Reason);
            int bytes = token.RejectionsBytes;
            if (bytes > RingToken.RejectionsBytesMax || (bytes > RingToken.RejectionsBytesKept && !token.IsWithinBudget))
            {
                token.RemoveLastRejection();
                token.IsPartial = true;
                return;
            }

            reports.OnPlaced(row, i, token.Round);
        }
    }

    private static void Append(RingToken token, RingTokenTopic entry, LevelRow? levels)
    {
        if (levels is not { } row)
        {
            token.Append(entry, RingLimits.LagUnknown, RingLimits.LagUnknown, RingLimits.LagUnknown);
            return;
        }

        ulong highest = HighestOf(row);
        if (highest > entry.Base)
        {
            token.RaiseBase(entry, highest);
        }

        token.Append(entry, Lag(token, entry, row.Received), Lag(token, entry, row.Persisted), Lag(token, entry, row.Applied));
    }

    private static byte Lag(RingToken token, RingTokenTopic entry, ulong value)
    {
        ulong lag = entry.Base - value;
        return lag > token.LagExactMax ? RingLimits.LagFar : (byte)lag;
    }

    /// <summary>Frees room: ends topics before this position, the last in the token first, until the rest fits.</summary>
    private static void Close(RingToken token, int position)
    {
        while (!token.IsWithinBudget)
        {
            RingTokenTopic? last = null;
            foreach (RingTokenTopic entry in token.Topics)
            {
                last = entry.IsOpen && entry.From <= position ? entry : last;
            }

            if (last is null)
            {
                return;
            }

            token.IsPartial = true;
            if (last.From == position)
            {
                token.RemoveTopic(last);
                continue;
            }

            token.RemoveLast(last);
            last.Until = (ushort)position;
        }
    }
}
