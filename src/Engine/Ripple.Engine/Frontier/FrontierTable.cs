using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Engine.Frontier;

/// <summary>
/// Who has what of one application: a row for each member, sorted by node id, then incarnation, so that every host lists members in one
/// order. Values only grow, except that a new generation starts them over. Bounded by <see cref="MembersMax"/>. Belongs to the core thread;
/// calls nobody back: the owner tells <see cref="ApplicationFrontier.OnTableChanged"/> once a turn.
/// </summary>
internal sealed class FrontierTable
{
    private readonly List<FrontierRow> _rows = [];

    /// <param name="application">The application's name, for messages.</param>
    /// <param name="generation">The generation it is in.</param>
    /// <param name="membersMax">The most rows, members that are gone but not removed included. Default 16,384.</param>
    public FrontierTable(string application, uint generation, int membersMax = 16_384)
    {
        ArgumentNullException.ThrowIfNull(application);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(membersMax);
        Application = application;
        Generation = generation;
        MembersMax = membersMax;
    }

    /// <summary>Adds what a row takes in one application: one for each member, and what it rejected.</summary>
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
    /// The generation whose rows count. Moved by the owner alone: a member's word for a newer one restarts that member's row, and no more.
    /// </summary>
    public uint Generation { get; private set; }

    /// <summary>The most rows.</summary>
    public int MembersMax { get; }

    /// <summary>The rows by node id, then incarnation, members that are gone included until they are removed.</summary>
    public IReadOnlyList<FrontierRow> Rows => _rows;

    /// <summary>Grows with every change.</summary>
    public long Version { get; private set; }

    /// <summary>Grows when a member comes, goes, or changes its labels: when what a predicate selects may differ.</summary>
    public long MembershipVersion { get; private set; }

    /// <summary>Grows when something may have become impossible: a rejection, a member gone, rows that start over.</summary>
    internal long ObstacleVersion { get; private set; }

    /// <summary>Room for evaluating, shared by all predicates that are bound to this table: one is evaluated at a time.</summary>
    internal ulong[] Scratch { get; private set; } = [];

    /// <summary>
    /// Adds a member with nothing received. A member that has a row keeps it, with its values, and takes the new labels, name and zone.
    /// False when the table is full: remove those that are gone.
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

    /// <summary>The members that have neither left nor failed, in the table's order: a new list.</summary>
    public IReadOnlyList<FrontierRow> CurrentMembers() => _rows.FindAll(row => !row.IsGone);

    /// <summary>
    /// Sets what is known of a member's being there; returns whether that is news. <see cref="MemberStatus.Left"/> and
    /// <see cref="MemberStatus.Failed"/> are final: a node that comes back has another incarnation.
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
    /// Forgets a row; one that had not failed counts as left for whoever waits on it. False when the row is not in the table.
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
    /// The application was created or restored: rows of older generations start over. False when the generation is not newer.
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
    /// Raises one level of a row; returns whether anything changed. Nothing does when the value is not greater, the generation is older
    /// than the row's, or the member is gone. A newer generation starts the row over. What was told directly counts for the level without
    /// ".direct" too.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">No level of <see cref="FrontierLevels"/>: check what came from outside
    /// first.</exception>
    public bool Advance(FrontierRow row, uint generation, int level, ulong release, bool isDirect)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentOutOfRangeException.ThrowIfNegative(level);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(level, FrontierLevels.Count);
        return Settle(Enter(row, generation, out bool changed) && (Raise(row, level, release, isDirect) | changed));
    }

    /// <summary>Raises the three levels that every member reports; otherwise as <see cref="Advance"/>.</summary>
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
    /// Notes that a member refused a release; returns whether that is news. The first reason stays, but for a longer one that begins with
    /// it. Beyond <see cref="FrontierRow.RejectionsMax"/> the lowest release is forgotten. Generations and members that are gone as for
    /// <see cref="Advance"/>.
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
