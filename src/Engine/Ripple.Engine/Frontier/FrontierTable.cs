using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The progress of every member in one application: one row per member, sorted by node id, then incarnation, so that every host lists
/// members in the same order. Values only grow, except that a new generation resets them. Bounded by <see cref="MembersMax"/>. Belongs to
/// the core thread; makes no callbacks: the owner calls <see cref="ApplicationFrontier.OnTableChanged"/> once per turn.
/// </summary>
internal sealed class FrontierTable
{
    private readonly List<FrontierRow> _rows = [];

    /// <param name="application">The application's name, for messages.</param>
    /// <param name="generation">The application's current generation.</param>
    /// <param name="membersMax">The most rows, including members that are gone but not removed. Default 16,384.</param>
    public FrontierTable(string application, uint generation, int membersMax = 16_384)
    {
        ArgumentNullException.ThrowIfNull(application);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(membersMax);
        Application = application;
        Generation = generation;
        MembersMax = membersMax;
    }

    /// <summary>Adds the memory of a member in one application: its row and its rejections.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        ArgumentNullException.ThrowIfNull(budget);
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member's row", 1, FrontierRow.Bytes);
        budget.Add(
            MemoryScope.Connection,
            MemoryKind.Transient,
            "frontier: what a member rejected",
            FrontierRow.RejectionsMax,
            (sizeof(char) * FrontierRow.ReasonCharsMax) + MemoryBudget.ArrayBytes + MemoryBudget.ObjectBytes + 16 + 8);
    }

    /// <summary>The application's name.</summary>
    public string Application { get; }

    /// <summary>
    /// The generation whose rows count. Only the owner advances it: a member's report of a newer generation resets that member's row and
    /// nothing else.
    /// </summary>
    public uint Generation { get; private set; }

    /// <summary>The most rows.</summary>
    public int MembersMax { get; }

    /// <summary>The rows by node id, then incarnation, including members that are gone until they are removed.</summary>
    public IReadOnlyList<FrontierRow> Rows => _rows;

    /// <summary>Grows with every change.</summary>
    public long Version { get; private set; }

    /// <summary>Grows when a member is added, updated, gone or removed, so that predicates may select differently.</summary>
    public long MembershipVersion { get; private set; }

    /// <summary>Grows when a wait may have become impossible: a rejection, a member gone, or rows reset by a new generation.</summary>
    internal long ObstacleVersion { get; private set; }

    /// <summary>Scratch space for evaluation, shared by all predicates bound to this table: only one is evaluated at a time.</summary>
    internal ulong[] Scratch { get; private set; } = [];

    /// <summary>
    /// Adds a member with all values 0. A member that has a row keeps it, with its values, and takes the new labels, name and zone. False
    /// when the table is full: remove members that are gone.
    /// </summary>
    public bool TryAdd(FrontierMember member, [NotNullWhen(true)] out FrontierRow? row)
    {
        ArgumentNullException.ThrowIfNull(member);
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

    /// <summary>The members that have neither left nor failed, in table order, as a new list.</summary>
    public IReadOnlyList<FrontierRow> CurrentMembers() => _rows.FindAll(row => !row.IsGone);

    /// <summary>
    /// Sets a member's status; returns whether it changed. <see cref="MemberStatus.Left"/> and <see cref="MemberStatus.Failed"/> are final:
    /// a returning node has another incarnation.
    /// </summary>
    public bool SetStatus(FrontierRow row, MemberStatus status)
    {
        ArgumentNullException.ThrowIfNull(row);
        if (row.IsGone || row.Status == status)
        {
            return false;
        }

        row.Status = status;
        if (row.IsGone)
        {
            ChangeMembership();
        }
        else
        {
            Version++;
        }

        return true;
    }

    /// <summary>
    /// Removes a row; a row that had not failed counts as left for the waits that still hold it. False when the row is not in the table.
    /// </summary>
    public bool Remove(FrontierRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
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
        foreach (FrontierRow row in _rows)
        {
            if (row.Generation < generation)
            {
                row.StartOver(generation);
            }
        }

        Version++;
        ObstacleVersion++;
        return true;
    }

    /// <summary>
    /// Raises one level of a row; returns whether anything changed. Ignored when the value is not greater, the generation is older than the
    /// row's, or the member is gone. A newer generation resets the row first. A direct report also counts for the level without ".direct".
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not a level of <see cref="FrontierLevels"/>: validate outside input first.</exception>
    public bool Advance(FrontierRow row, uint generation, int level, ulong release, bool isDirect)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentOutOfRangeException.ThrowIfNegative(level);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(level, FrontierLevels.Count);
        return Settle(Enter(row, generation, out bool changed) && (Raise(row, level, release, isDirect) | changed));
    }

    /// <summary>Raises the three levels that every member reports; otherwise like <see cref="Advance"/>.</summary>
    public bool Report(FrontierRow row, uint generation, ulong received, ulong persisted, ulong applied, bool isDirect)
    {
        ArgumentNullException.ThrowIfNull(row);
        if (!Enter(row, generation, out bool changed))
        {
            return false;
        }

        changed |= Raise(row, FrontierLevels.Received, received, isDirect);
        changed |= Raise(row, FrontierLevels.Persisted, persisted, isDirect);
        changed |= Raise(row, FrontierLevels.Applied, applied, isDirect);
        return Settle(changed);
    }

    /// <summary>
    /// Records that a member rejected a release; returns whether that is new. The first reason is kept, unless a longer one begins with it.
    /// Beyond <see cref="FrontierRow.RejectionsMax"/> the lowest release is dropped. Generations and members that are gone are handled as
    /// in <see cref="Advance"/>.
    /// </summary>
    public bool Reject(FrontierRow row, uint generation, ulong release, string reason)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentNullException.ThrowIfNull(reason);
        ObstacleVersion++;
        return Settle(Enter(row, generation, out bool changed) && (row.Reject(release, reason) | changed));
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

    private static bool Enter(FrontierRow row, uint generation, out bool changed)
    {
        changed = false;
        if (row.IsGone || generation < row.Generation)
        {
            return false;
        }

        if (generation > row.Generation)
        {
            row.StartOver(generation);
            changed = true;
        }

        return true;
    }

    private bool Settle(bool changed)
    {
        if (changed)
        {
            Version++;
        }

        return changed;
    }

    private void ChangeMembership()
    {
        Version++;
        MembershipVersion++;
        ObstacleVersion++;
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
