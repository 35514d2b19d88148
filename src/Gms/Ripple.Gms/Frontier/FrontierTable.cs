using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The progress of every member in one application: one row per member, sorted by node id, then incarnation, so that every host lists
/// members in the same order. Values only grow, except that a new generation resets them. Bounded by <see cref="MembersMax"/>. Belongs to
/// the core thread; makes no callbacks: the owner calls <see cref="Waits.FrontierWaits.Evaluate"/>.
/// </summary>
internal sealed class FrontierTable
{
    private readonly List<FrontierRow> _rows = [];
    private readonly FrontierExternals _externals = new();

    /// <param name="application">The application's name, for messages.</param>
    /// <param name="generation">The application's current generation.</param>
    /// <param name="membersMax">The most rows, including members that are gone but not removed. Default 16,384.</param>
    public FrontierTable(string application, uint generation, int membersMax = 16_384)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(membersMax);
        Application = application;
        Generation = generation;
        MembersMax = membersMax;
    }

    /// <summary>Adds the memory of a member in one application: its row and its rejections.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member's row", 1, FrontierRow.Bytes);
        budget.Add(
            MemoryScope.Connection, MemoryKind.Transient, "frontier: own levels that a member reported", 1, FrontierRow.ClaimsBytes);
        budget.Add(
            MemoryScope.Connection,
            MemoryKind.Transient,
            "frontier: what a member rejected",
            2 * FrontierRow.RejectionsMax,
            (sizeof(char) * FrontierRow.ReasonCharsMax) + MemoryBudget.ArrayBytes + MemoryBudget.ObjectBytes + 16 + 8);
    }

    /// <summary>The application's name.</summary>
    public string Application { get; }

    /// <summary>
    /// The generation whose rows count. Only the owner advances it: reports of any other generation change nothing.
    /// </summary>
    public uint Generation { get; private set; }

    /// <summary>The most rows.</summary>
    public int MembersMax { get; }

    /// <summary>The rows by node id, then incarnation, including members that are gone until they are removed.</summary>
    public IReadOnlyList<FrontierRow> Rows => _rows;

    /// <summary>
    /// The rows of externals, in the order of their names. They are in every set of bound members, and in no list of members.
    /// </summary>
    public IReadOnlyList<FrontierRow> Externals => _externals.Rows;

    /// <summary>The zones of each area; a zone that is in none is an area by itself.</summary>
    public IReadOnlyDictionary<string, ImmutableArray<string>> Areas { get; private set; } =
        ImmutableDictionary<string, ImmutableArray<string>>.Empty;

    /// <summary>The levels that rows have.</summary>
    public FrontierLevels Levels { get; } = new();

    /// <summary>Grows with every change.</summary>
    public long Version { get; private set; }

    /// <summary>Grows when a member is added, updated, gone or removed, so that predicates may select differently.</summary>
    public long MembershipVersion { get; private set; }

    /// <summary>Grows when any wait may have become impossible: a member is gone, or a new generation reset the rows.</summary>
    internal long ObstacleVersion { get; private set; }

    /// <summary>How often values came to the releases that are waited for, and how often these were rejected.</summary>
    internal FrontierCrossings Crossings { get; } = new();

    /// <summary>
    /// How many values of rows predicates and waits have read since the table was made: what evaluation has cost so far, in a unit that
    /// does not depend on the machine.
    /// </summary>
    internal long ValuesRead { get; set; }

    /// <summary>Scratch space for evaluation, shared by all predicates bound to this table: only one is evaluated at a time.</summary>
    internal ulong[] Scratch { get; private set; } = [];

    /// <summary>
    /// Adds a member with all values 0. A member that has a row keeps it, with its values, and takes the new labels, name and zone. False
    /// when the table is full: remove members that are gone.
    /// </summary>
    public bool TryAdd(FrontierMember member, [NotNullWhen(true)] out FrontierRow? row)
    {
        int index = IndexOf(member.Node, member.Incarnation);
        if (index >= 0)
        {
            row = _rows[index];
            if (!ReferenceEquals(row.Member, member))
            {
                row.Member = member;
                ChangeMembership();
            }

            return true;
        }

        if (_rows.Count == MembersMax)
        {
            row = null;
            return false;
        }

        row = new FrontierRow(this, member);
        _rows.Insert(~index, row);
        ChangeMembership();
        return true;
    }

    /// <summary>The row of a member; null when there is none.</summary>
    public FrontierRow? Find(NodeId node, ulong incarnation)
    {
        int index = IndexOf(node, incarnation);
        return index >= 0 ? _rows[index] : null;
    }

    /// <summary>The number of rows up to and including a member's, whether or not it has one: the index of the row after it.</summary>
    public int CountUpTo(NodeId node, ulong incarnation)
    {
        int index = IndexOf(node, incarnation);
        return index >= 0 ? index + 1 : ~index;
    }

    /// <summary>The members that have neither left nor failed, in table order, as a new list.</summary>
    public IReadOnlyList<FrontierRow> CurrentMembers() => _rows.FindAll(row => !row.IsGone);

    /// <summary>
    /// Of the releases before one, that which most present members of this generation have in effect, by what each said itself; of
    /// several the newest; 0 if none has any.
    /// </summary>
    public ulong MostAppliedBefore(ulong release)
    {
        var counts = new SortedDictionary<ulong, int>();
        foreach (FrontierRow row in _rows)
        {
            ulong applied = row.DirectApplied;
            if (!row.IsGone && row.Generation == Generation && applied > 0 && applied < release)
            {
                counts[applied] = counts.GetValueOrDefault(applied) + 1;
            }
        }

        ulong most = 0;
        int count = 0;
        foreach ((ulong value, int members) in counts)
        {
            (most, count) = members >= count ? (value, members) : (most, count);
        }

        return most;
    }

    /// <summary>
    /// Sets a member's status; returns whether it changed. <see cref="MemberStatus.Left"/> and <see cref="MemberStatus.Failed"/> are final:
    /// a returning node has another incarnation.
    /// </summary>
    public bool SetStatus(FrontierRow row, MemberStatus status)
    {
        if (row.IsGone || row.Status == status)
        {
            return false;
        }

        row.Status = status;
        Version++;
        if (row.IsGone)
        {
            MembershipVersion++;
            ObstacleVersion++;
        }

        return true;
    }

    /// <summary>
    /// Gives a row to another incarnation of its node, with what it has: a member that a restarted host waited for came back. False when
    /// the row is not in the table, its member is gone, or the incarnation has a row.
    /// </summary>
    public bool Resume(FrontierRow row, FrontierMember member)
    {
        int index = IndexOf(row.Member.Node, row.Member.Incarnation);
        int next = IndexOf(member.Node, member.Incarnation);
        if (index < 0 || next >= 0 || !ReferenceEquals(_rows[index], row) || row.IsGone || row.Member.Node != member.Node)
        {
            return false;
        }

        _rows.RemoveAt(index);
        row.Member = member;
        row.Status = MemberStatus.Present;
        _rows.Insert(~IndexOf(member.Node, member.Incarnation), row);
        ChangeMembership();
        return true;
    }

    /// <summary>A row, outside of the table, of a member that was gone before there was this table.</summary>
    public FrontierRow Gone(FrontierMember member) => new(this, member) { Status = MemberStatus.Left };

    /// <summary>
    /// Removes a row; a row that had not failed counts as left for the waits that still hold it. False when the row is not in the table.
    /// </summary>
    public bool Remove(FrontierRow row)
    {
        int index = IndexOf(row.Member.Node, row.Member.Incarnation);
        if (index < 0 || !ReferenceEquals(_rows[index], row))
        {
            return false;
        }

        SetStatus(row, MemberStatus.Left);
        _rows.RemoveAt(index);
        ChangeMembership();
        return true;
    }

    /// <summary>
    /// Begins a newer generation after the application was created or restored: rows of older generations are reset. False when the
    /// generation is not newer.
    /// </summary>
    public bool BeginGeneration(uint generation)
    {
        if (generation <= Generation)
        {
            return false;
        }

        Generation = generation;
        foreach (FrontierRow row in _rows.Concat(_externals.Rows))
        {
            row.StartOver(generation);
        }

        Version++;
        ObstacleVersion++;
        return true;
    }

    /// <summary>
    /// Raises one level of a row; returns whether anything changed. Ignored when the value is not greater, the generation is not the
    /// table's, or the member is gone. A direct report also counts for the level without ".direct".
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not a level of <see cref="FrontierLevels"/>: validate outside input first.</exception>
    public bool Advance(FrontierRow row, uint generation, int level, ulong release, bool isDirect)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(level);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(level, FrontierLevels.Count);
        return Settle(IsTaken(row, generation) && Raise(row, level, release, isDirect));
    }

    /// <summary>Raises the three levels that every member reports; otherwise like <see cref="Advance"/>.</summary>
    public bool Report(FrontierRow row, uint generation, ulong received, ulong persisted, ulong applied, bool isDirect)
    {
        if (!IsTaken(row, generation))
        {
            return false;
        }

        bool changed = Raise(row, FrontierLevels.Received, received, isDirect);
        changed |= Raise(row, FrontierLevels.Persisted, persisted, isDirect);
        changed |= Raise(row, FrontierLevels.Applied, applied, isDirect);
        return Settle(changed);
    }

    /// <summary>
    /// Records that a member claims a level of the application's own; whether that is new. Handled as in <see cref="Advance"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not a level of the application's own: validate outside input first.</exception>
    public bool Claim(FrontierRow row, uint generation, int level, ulong release)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(level, FrontierLevels.Count);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(level, FrontierLevels.Count + Levels.Own.Count);
        return Settle(IsTaken(row, generation) && row.Claim(level, release));
    }

    /// <summary>Adds levels of the application's own, those that are not there. Predicates that name one fit from then on.</summary>
    public void AddLevels(IEnumerable<string> names)
    {
        int before = Levels.Own.Count;
        foreach (string name in names)
        {
            Levels.TryAdd(name);
        }

        if (Levels.Own.Count > before)
        {
            ChangeMembership();
        }
    }

    /// <summary>Takes over which zones are an area. What is bound keeps the zones it was bound to.</summary>
    public void SetAreas(IReadOnlyDictionary<string, ImmutableArray<string>> areas)
    {
        if (areas.Count > 0 || Areas.Count > 0)
        {
            Areas = areas;
            ChangeMembership();
        }
    }

    /// <summary>
    /// Takes over which externals there are; whether that changed anything. One that is there keeps its row; one that is not any more
    /// counts as left.
    /// </summary>
    public bool SetExternals(IReadOnlyCollection<string> names)
    {
        bool isChanged = _externals.Set(this, names);
        if (isChanged)
        {
            ChangeMembership();
            ObstacleVersion++;
        }

        return isChanged;
    }

    /// <summary>
    /// Records that a member rejected a release; returns whether that is new. The first reason is kept, unless a longer one begins with it,
    /// and a direct one replaces what others said. Beyond <see cref="FrontierRow.RejectionsMax"/> the lowest release is dropped.
    /// Generations and members that are gone are handled as in <see cref="Advance"/>.
    /// </summary>
    public bool Reject(FrontierRow row, uint generation, ulong release, string reason, bool isDirect)
    {
        bool isNew = IsTaken(row, generation) && row.Reject(release, reason, isDirect);
        if (isNew)
        {
            // Only what is new can be in the way: a member that repeats itself must not cost another look at what could still hold.
            Crossings.OnRejected(release);
        }

        return Settle(isNew);
    }

    internal void EnsureScratch(int count)
    {
        if (Scratch.Length < count)
        {
            Scratch = new ulong[Math.Max(count, 2 * Scratch.Length)];
        }
    }

    private static bool Raise(FrontierRow row, int level, ulong release, bool isDirect)
    {
        bool changed = row.Advance(FrontierRow.SlotOf(level, isDirect: false), release);
        return (isDirect && row.Advance(FrontierRow.SlotOf(level, isDirect: true), release)) | changed;
    }

    private bool IsTaken(FrontierRow row, uint generation) => !row.IsGone && generation == Generation;

    private bool Settle(bool changed)
    {
        Version += changed ? 1 : 0;
        return changed;
    }

    private void ChangeMembership()
    {
        Version++;
        MembershipVersion++;
    }

    private int IndexOf(NodeId node, ulong incarnation)
    {
        int low = 0;
        int high = _rows.Count - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            FrontierMember member = _rows[middle].Member;
            int order = member.Node.CompareTo(node);
            order = order != 0 ? order : member.Incarnation.CompareTo(incarnation);
            if (order == 0)
            {
                return middle;
            }

            if (order < 0)
            {
                low = middle + 1;
            }
            else
            {
                high = middle - 1;
            }
        }

        return ~low;
    }
}
