namespace Ripple.Engine.Frontier;

/// <summary>
/// How far one member is in one application, in one generation of it. Values only grow within a generation; a newer generation starts the
/// row over. Changed through its <see cref="FrontierTable"/> alone; whoever waits on it may keep it after its removal there. Belongs to the
/// core thread.
/// </summary>
internal sealed class FrontierRow
{
    /// <summary>The most rejections kept; the lowest release is forgotten first.</summary>
    public const int RejectionsMax = 64;

    /// <summary>The longest reason kept, in characters; a longer one is cut.</summary>
    public const int ReasonCharsMax = 512;

    /// <summary>What a row takes: its object, values, list and place in the table, and the member it speaks of.</summary>
    internal const int Bytes = 360;

    private readonly List<FrontierRejection> _rejections = [];
    private readonly FrontierTable _table;
    private readonly ulong[] _values = new ulong[2 * FrontierLevels.Count];

    internal FrontierRow(FrontierTable table, FrontierMember member)
    {
        _table = table;
        Member = member;
        Generation = table.Generation;
    }

    /// <summary>Who.</summary>
    public FrontierMember Member { get; internal set; }

    /// <summary>Whether it takes part.</summary>
    public MemberStatus Status { get; internal set; }

    /// <summary>The generation its values are of; may be ahead of the table's.</summary>
    public uint Generation { get; private set; }

    /// <summary>The newest release received with all before it; 0 for none.</summary>
    public ulong Received => ValueAt(FrontierLevels.Received, isDirect: false);

    /// <summary>The newest release persisted with all before it; 0 for none.</summary>
    public ulong Persisted => ValueAt(FrontierLevels.Persisted, isDirect: false);

    /// <summary>The newest release whose state is in effect; 0 for none.</summary>
    public ulong Applied => ValueAt(FrontierLevels.Applied, isDirect: false);

    /// <summary><see cref="Received"/>, counting only what the member told a host itself.</summary>
    public ulong DirectReceived => ValueAt(FrontierLevels.Received, isDirect: true);

    /// <summary><see cref="Persisted"/>, counting only what the member told a host itself.</summary>
    public ulong DirectPersisted => ValueAt(FrontierLevels.Persisted, isDirect: true);

    /// <summary><see cref="Applied"/>, counting only what the member told a host itself.</summary>
    public ulong DirectApplied => ValueAt(FrontierLevels.Applied, isDirect: true);

    /// <summary>What it rejected in this generation, lowest release first.</summary>
    public IReadOnlyList<FrontierRejection> Rejections => _rejections;

    /// <summary>True when it left or failed.</summary>
    public bool IsGone => Status is MemberStatus.Left or MemberStatus.Failed;

    /// <summary>The value of a level of <see cref="FrontierLevels"/>, in the row's own generation.</summary>
    public ulong ValueAt(int level, bool isDirect) => _values[SlotOf(level, isDirect)];

    /// <summary>Where a level stands in a row's values.</summary>
    internal static int SlotOf(int level, bool isDirect) => (2 * level) + (isDirect ? 1 : 0);

    /// <summary>What predicates count: the value while the row is of the table's generation, else nothing.</summary>
    internal ulong CountedAt(int slot) => Generation == _table.Generation ? _values[slot] : 0;

    /// <summary>
    /// Whether a value that counts at least the release can still come in a slot, by what is known now (see docs/design/frontier.md).
    /// </summary>
    internal bool CanReach(int slot, ulong release)
    {
        if (CountedAt(slot) >= release)
        {
            return true;
        }

        if (IsGone)
        {
            return false;
        }

        int applied = SlotOf(FrontierLevels.Applied, isDirect: false);
        return (slot | 1) != (applied | 1)
            || Generation != _table.Generation
            || _values[applied] >= release
            || FindRejection(release) is null;
    }

    internal FrontierRejection? FindRejection(ulong release)
    {
        foreach (FrontierRejection rejection in _rejections)
        {
            if (rejection.Release == release)
            {
                return rejection;
            }
        }

        return null;
    }

    /// <summary>Starts the row over in a newer generation.</summary>
    internal void StartOver(uint generation)
    {
        Generation = generation;
        Array.Clear(_values);
        _rejections.Clear();
    }

    internal bool Advance(int slot, ulong release)
    {
        if (release <= _values[slot])
        {
            return false;
        }

        _values[slot] = release;
        return true;
    }

    internal bool Reject(ulong release, string reason)
    {
        int index = 0;
        while (index < _rejections.Count && _rejections[index].Release < release)
        {
            index++;
        }

        bool isKnown = index < _rejections.Count && _rejections[index].Release == release;
        if (isKnown)
        {
            // A ring carries the beginning of a reason alone; the member's own report, which may come later, has all of it.
            if (reason.Length > _rejections[index].Reason.Length && reason.StartsWith(_rejections[index].Reason, StringComparison.Ordinal))
            {
                _rejections[index] = new FrontierRejection(release, Cut(reason));
            }

            return false;
        }

        if (_rejections.Count == RejectionsMax && index == 0)
        {
            return false;
        }

        _rejections.Insert(index, new FrontierRejection(release, Cut(reason)));
        if (_rejections.Count > RejectionsMax)
        {
            _rejections.RemoveAt(0);
        }

        return true;
    }

    private static string Cut(string reason)
    {
        if (reason.Length <= ReasonCharsMax)
        {
            return reason;
        }

        // Not through the middle of a surrogate pair.
        return reason[..(char.IsHighSurrogate(reason[ReasonCharsMax - 1]) ? ReasonCharsMax - 1 : ReasonCharsMax)];
    }
}
