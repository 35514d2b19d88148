namespace Ripple.Engine.Rings;

/// <summary>The leader's record of one topic's rounds. Reused for another when nothing of the topic is open.</summary>
internal sealed class LeaderTopic
{
    public uint Topic { get; private set; }

    /// <summary>The leader's position, where each pass begins.</summary>
    public int First { get; private set; }

    public uint Generation { get; private set; }

    /// <summary>The highest release that the leader has, or that was reported when it has nothing of the topic itself.</summary>
    public ulong Base { get; set; }

    /// <summary>The newest finished round that contained the topic; 0 for none.</summary>
    public ulong LastRound { get; private set; }

    /// <summary>The position where the next round resumes: behind the first in the middle of a pass.</summary>
    public int ResumeAt { get; private set; }

    public bool IsSettled { get; private set; }

    /// <summary>No round has asked for what the leader has of it now.</summary>
    public bool IsNew { get; set; }

    /// <summary>
    /// The last pass was the first to ask for a release, and met a member that did not have it yet. Releases that arrived meanwhile do not
    /// count, and neither do members that lack more.
    /// </summary>
    public bool IsBehind { get; private set; }

    /// <summary>The leader itself has levels of the topic. Topics known only from members come after it.</summary>
    public bool IsOwn { get; set; }

    private LevelPass _pass = LevelPass.Start();
    private ulong _sumMax;
    private ulong _asked;
    private ulong _askedBefore;

    /// <summary>A round that contains the topic starts.</summary>
    public void Ask()
    {
        IsNew = false;
        if (ResumeAt != First)
        {
            return;
        }

        _askedBefore = _asked;
        _asked = Math.Max(_asked, Base);
        _pass = LevelPass.Start(_asked, _askedBefore);
    }

    /// <summary>Begins with a topic, of which nothing is known.</summary>
    /// <param name="topic">The topic.</param>
    /// <param name="generation">Its generation.</param>
    /// <param name="first">The leader's position.</param>
    public void Begin(uint topic, uint generation, int first)
    {
        Topic = topic;
        First = first;
        LastRound = 0;
        IsOwn = false;
        IsNew = false;
        SetGeneration(generation);
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

/// <summary>One pass over all positions of a topic, in one round or, when the packet is too small, in several.</summary>
internal struct LevelPass
{
    private ulong _minReceived;
    private ulong _minPersisted;
    private ulong _minApplied;
    private ulong _maxPersisted;
    private ulong _max;
    private bool _hasUnknown;
    private ulong _asked;
    private ulong _askedBefore;

    /// <summary>The sum of all known values: grows when a member advances. Only a measure of progress.</summary>
    public ulong Sum { get; private set; }

    /// <summary>
    /// Every member that reported has received and applied the highest release, and persisted it unless no member has a disk.
    /// </summary>
    public readonly bool IsSettled =>
        !_hasUnknown && _minReceived == _max && _minApplied == _max && (_maxPersisted == 0 || _minPersisted == _max);

    /// <summary>
    /// A member had the release asked for before, but not yet the one asked for now. A member that lacks both is late for other reasons.
    /// </summary>
    public bool IsBehind { get; private set; }

    /// <param name="asked">The release that the pass asks for; 0 for none.</param>
    /// <param name="askedBefore">The one before that.</param>
    public static LevelPass Start(ulong asked = 0, ulong askedBefore = 0) => new()
    {
        _minReceived = ulong.MaxValue,
        _minPersisted = ulong.MaxValue,
        _minApplied = ulong.MaxValue,
        _asked = asked,
        _askedBefore = askedBefore,
    };

    public void Add(RingToken token, RingTokenTopic entry)
    {
        _max = Math.Max(_max, entry.Base);
        _minReceived = Math.Min(_minReceived, AddLevel(token, entry, 0, out _));
        _minPersisted = Math.Min(_minPersisted, AddLevel(token, entry, 1, out ulong maxPersisted));
        _maxPersisted = Math.Max(_maxPersisted, maxPersisted);
        _minApplied = Math.Min(_minApplied, AddLevel(token, entry, 2, out _));
    }

    /// <summary>Returns the lowest value; a value too far behind to be reported counts as 0.</summary>
    private ulong AddLevel(RingToken token, RingTokenTopic entry, int level, out ulong max)
    {
        ulong min = ulong.MaxValue;
        max = 0;
        int position = entry.From;
        int node = -1;
        while (token.NextRun(entry, level, ref node, out byte lag, out ushort run))
        {
            if (lag != RingLimits.LagUnknown)
            {
                ulong value = lag == RingLimits.LagFar ? 0 : entry.Base - lag;
                min = Math.Min(min, value);
                max = Math.Max(max, value);
                IsBehind |= value < _asked && value >= _askedBefore;
                Sum += value * run;
            }
            else if (!AreSilent(token, position, run))
            {
                _hasUnknown = true;
            }

            position += run;
        }

        return min;
    }

    private static bool AreSilent(RingToken token, int from, int count)
    {
        if (token.SilentTotal > token.Silent.Length)
        {
            // Too many are silent to name them all: unknown positions are assumed to be silent.
            return true;
        }

        int silent = 0;
        foreach (ushort position in token.Silent)
        {
            silent += position >= from && position < from + count ? 1 : 0;
        }

        return silent == count;
    }
}
