namespace Ripple.Engine.Rings;

/// <summary>What the leader knows of one topic's rounds.</summary>
internal sealed class LeaderTopic
{
    public uint Topic { get; init; }

    public uint Generation { get; private set; }

    /// <summary>The highest release the leader has, or was told of when it has nothing of the topic itself.</summary>
    public ulong Base { get; set; }

    /// <summary>The newest finished round that told of it; 0 for none.</summary>
    public ulong LastRound { get; private set; }

    /// <summary>The position the next round goes on from: not 0 in the middle of a pass.</summary>
    public int ResumeAt { get; private set; }

    public bool IsSettled { get; set; }

    /// <summary>
    /// The last pass asked for a release for the first time, and met somebody who did not have it yet. What came meanwhile is not meant,
    /// and neither is who lacks more.
    /// </summary>
    public bool IsBehind { get; private set; }

    /// <summary>The leader has levels of it itself. What only members speak of comes after.</summary>
    public bool IsOwn { get; set; }

    /// <summary>To be told of in the round that starts, and not chosen yet.</summary>
    public bool IsCandidate { get; set; }

    private LevelPass _pass = LevelPass.Start();
    private ulong _sumMax;
    private ulong _asked;
    private ulong _askedBefore;

    /// <summary>A round that tells of it starts.</summary>
    public void Ask()
    {
        IsCandidate = false;
        if (ResumeAt != 0)
        {
            return;
        }

        _askedBefore = _asked;
        _asked = Math.Max(_asked, Base);
        _pass = LevelPass.Start(_asked, _askedBefore);
    }

    public void SetGeneration(uint generation)
    {
        Generation = generation;
        Base = 0;
        ResumeAt = 0;
        IsSettled = false;
        IsBehind = false;
        _pass = LevelPass.Start();
        _sumMax = 0;
        _asked = 0;
        _askedBefore = 0;
    }

    /// <summary>Takes a finished round's part. True when it ended a pass.</summary>
    public bool Take(RingToken token, RingTokenTopic entry, int memberCount, out bool hasProgress)
    {
        hasProgress = false;
        LastRound = token.Round;
        if (entry.From != ResumeAt)
        {
            // Members brought it up: the next round asks all.
            IsSettled = false;
            return false;
        }

        _pass.Add(token, entry);
        int end = entry.From + entry.Covered;
        if (end < memberCount)
        {
            ResumeAt = end;
            IsSettled = false;
            return false;
        }

        IsSettled = _pass.IsSettled;
        IsBehind = _pass.IsBehind;
        hasProgress = _pass.Sum > _sumMax;
        _sumMax = Math.Max(_sumMax, _pass.Sum);
        _pass = LevelPass.Start();
        ResumeAt = 0;
        return true;
    }
}
