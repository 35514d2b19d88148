namespace Ripple.Engine.Rings;

/// <summary>One walk over all positions of a topic, in one round or, when the packet is too small, in several.</summary>
internal struct LevelPass
{
    private ulong _minReceived;
    private ulong _minPersisted;
    private ulong _minApplied;
    private ulong _max;
    private bool _hasUnknown;

    /// <summary>The sum of what is known: it grows when a member moves on. A clock of progress, no more.</summary>
    public ulong Sum { get; private set; }

    /// <summary>Every member that spoke has the highest release, received and applied; and persisted, where it persists.</summary>
    public readonly bool IsSettled => !_hasUnknown && _minReceived == _max && _minApplied == _max && _minPersisted >= _max;

    public static LevelPass Start() => new() { _minReceived = ulong.MaxValue, _minPersisted = ulong.MaxValue, _minApplied = ulong.MaxValue };

    public void Add(Token token, TokenTopic entry)
    {
        _max = Math.Max(_max, entry.Base);
        _minReceived = Math.Min(_minReceived, AddLevel(token, entry, 0));
        AddPersisted(token, entry);
        _minApplied = Math.Min(_minApplied, AddLevel(token, entry, 2));
    }

    private ulong AddLevel(Token token, TokenTopic entry, int level)
    {
        ulong min = ulong.MaxValue;
        int position = entry.From;
        int node = -1;
        while (token.NextRun(entry, level, ref node, out byte lag, out ushort run))
        {
            if (lag <= RingLimits.LagExactMax)
            {
                min = Math.Min(min, entry.Base - lag);
                Sum += (entry.Base - lag) * run;
            }
            else if (lag == RingLimits.LagFar || !AreSilent(token, position, run))
            {
                _hasUnknown = true;
            }

            position += run;
        }

        return min;
    }

    /// <summary>A member without a disk has persisted nothing, and is not waited for.</summary>
    private void AddPersisted(Token token, TokenTopic entry)
    {
        int node = -1;
        while (token.NextRun(entry, 1, ref node, out byte lag, out ushort run))
        {
            if (lag <= RingLimits.LagExactMax && entry.Base > lag)
            {
                _minPersisted = Math.Min(_minPersisted, entry.Base - lag);
                Sum += (entry.Base - lag) * run;
            }
        }
    }

    private static bool AreSilent(Token token, int from, int count)
    {
        if (token.SilentTotal > token.Silent.Length)
        {
            // Too many are silent to name them all: the unknown are taken for silent.
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
