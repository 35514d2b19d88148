namespace Ripple.Engine.Rings;

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
