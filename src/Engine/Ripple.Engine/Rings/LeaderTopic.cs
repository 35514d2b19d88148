namespace Ripple.Engine.Rings;

/// <summary>The leader's record of one topic's rounds.</summary>
internal sealed class LeaderTopic
{
    public uint Topic { get; init; }

    /// <summary>The leader's position, where each pass begins.</summary>
    public int First { get; init; }

    public uint Generation { get; private set; }

    /// <summary>The highest release that the leader has, or that was reported when it has nothing of the topic itself.</summary>
    public ulong Base { get; set; }

    /// <summary>The newest finished round that contained the topic; 0 for none.</summary>
    public ulong LastRound { get; private set; }

    /// <summary>The position where the next round resumes: behind the first in the middle of a pass.</summary>
    public int ResumeAt { get; private set; }

    public bool IsSettled { get; set; }

    /// <summary>
    /// The last pass was the first to ask for a release, and met a member that did not have it yet. Releases that arrived meanwhile do not
    /// count, and neither do members that lack more.
    /// </summary>
    public bool IsBehind { get; private set; }

    /// <summary>The leader itself has levels of the topic. Topics known only from members come after it.</summary>
    public bool IsOwn { get; set; }

    /// <summary>To be included in the starting round, and not chosen yet.</summary>
    public bool IsCandidate { get; set; }

    private LevelPass _pass = LevelPass.Start();
    private ulong _sumMax;
    private ulong _asked;
    private ulong _askedBefore;

    /// <summary>A round that contains the topic starts.</summary>
    public void Ask()
    {
        IsCandidate = false;
        if (ResumeAt != First)
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
        ResumeAt = First;
        IsSettled = false;
        IsBehind = false;
        _pass = LevelPass.Start();
        _sumMax = 0;
        _asked = 0;
        _askedBefore = 0;
    }

    /// <summary>Processes the topic's part of a finished round; true when it ended a pass.</summary>
    public bool Take(RingToken token, RingTokenTopic entry, int endPosition, out bool hasProgress)
    {
        hasProgress = false;
        LastRound = token.Round;
        if (entry.From != ResumeAt)
        {
            // Members added it to the token: the next round asks all positions.
            IsSettled = false;
            return false;
        }

        _pass.Add(token, entry);
        int end = entry.From + entry.Covered;
        if (end < endPosition)
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
        ResumeAt = First;
        return true;
    }
}
