using System.Numerics;

namespace Ripple.Gms.Frontier.Predicates;

/// <summary>
/// A predicate over a fixed set of members. Evaluation does not allocate. Members that leave or fail later are discounted, unless it was
/// bound to count them; no member is added. Growth of a row never lowers the value; discounting may change it in either direction. Belongs
/// to the core thread.
/// </summary>
internal sealed class BoundPredicate
{
    private readonly FrontierTable _table;
    private readonly FrontierRow[] _members;
    private readonly uint[] _slots;
    private readonly BoundOperator _root;
    private readonly int _scratchCount;
    private readonly int _valueCount;
    private readonly long _rowCount;
    private readonly bool _countLeft;
    private long _obstacleVersion = -1;
    private long _valueVersion = -1;
    private ulong _value;

    internal BoundPredicate(
        Predicate predicate,
        BindingContext context,
        FrontierRow[] members,
        uint[] slots,
        BoundOperator root,
        int scratchCount,
        int valueCount,
        long rowCount)
    {
        Predicate = predicate;
        _table = context.Table;
        _countLeft = context.CountLeft;
        _members = members;
        _slots = slots;
        _root = root;
        _scratchCount = scratchCount;
        _valueCount = valueCount;
        _rowCount = rowCount;
        SlotsRead = FrontierRow.SourcesOf(slots.Aggregate(0u, (all, s) => all | s));
        _table.EnsureScratch(scratchCount);
    }

    /// <summary>
    /// What a look at a wait costs, in values of rows: those that an evaluation reads, and one for each member, who is counted. Also its
    /// memory, in places of members.
    /// </summary>
    public long Cost => (long)_valueCount + _members.Length;

    /// <summary>The slots, one bit for each, whose growth can change its value.</summary>
    public uint SlotsRead { get; }

    /// <summary>The predicate that was bound.</summary>
    public Predicate Predicate { get; }

    /// <summary>The members it was bound to, including discounted ones, by node id, then incarnation.</summary>
    public IReadOnlyList<FrontierRow> Members => _members;

    /// <summary>
    /// True once every member that the predicate names has left or failed and is discounted, so that nothing is left to evaluate.
    /// </summary>
    public bool IsEmpty
    {
        get
        {
            Refresh();
            return _root.Count == 0;
        }
    }

    /// <summary>
    /// A k that became invalid because members were discounted; null when there is none. The value of that operator is 0.
    /// </summary>
    public PredicateError? Problem
    {
        get
        {
            Refresh();
            return _root.FindProblem();
        }
    }

    /// <summary>
    /// The newest release for which the predicate holds, in the table's generation; 0 for none, and when <see cref="IsEmpty"/>.
    /// </summary>
    public ulong Evaluate()
    {
        if (_valueVersion != _table.Version)
        {
            _value = Evaluate(new EvaluationPass(_members, isUpperBound: false, 0));
            _valueVersion = _table.Version;
        }

        return _value;
    }

    /// <summary>
    /// How many values of rows must come to a release, at least, before the predicate holds for it; 0 if and only if it does:
    /// <see cref="Evaluate()"/> is the release or more. Reads less than an evaluation, as a rule: of operands that must all have it, the
    /// first that has not tells enough, and is looked at first the next time.
    /// </summary>
    public long Lacking(ulong release)
    {
        Refresh();
        var probe = new ReleaseProbe(_members, release);
        long lacking = _root.Count == 0 ? long.MaxValue : _root.Lacking(ref probe);
        _table.ValuesRead += probe.ReadCount;
        return lacking;
    }

    /// <summary>
    /// The value of <see cref="Evaluate()"/> if every member that can still reach the release advanced without limit, and the others (gone,
    /// or having rejected it) stayed where they are. When it is below the release, the predicate can no longer hold.
    /// </summary>
    public ulong EvaluateUpperBound(ulong release)
    {
        Refresh();
        // Nearly always everybody can, and then there is nothing to choose from: seen by each member once, and not by each operand.
        return _root.Count > 0 && _root.FindProblem() is null && CanAllReach(release)
            ? ulong.MaxValue
            : Evaluate(new EvaluationPass(_members, isUpperBound: true, release));
    }

    /// <summary>Whether the predicate names a member of <see cref="Members"/> and the member is not discounted.</summary>
    internal bool IsCounted(int member) => _slots[member] != 0 && (_countLeft || !_members[member].IsGone);

    /// <summary>Whether the predicate names a member and the member is discounted.</summary>
    internal bool IsDiscounted(int member) => _slots[member] != 0 && !_countLeft && _members[member].IsGone;

    /// <summary>The lowest value of a member among the levels read from it.</summary>
    internal ulong ValueOf(int member)
    {
        ulong least = ulong.MaxValue;
        for (uint slots = _slots[member]; slots != 0; slots &= slots - 1)
        {
            least = Math.Min(least, _members[member].CountedAt(BitOperations.TrailingZeroCount(slots)));
        }

        return least;
    }

    /// <summary>Whether a member can still reach the release at every level read from it.</summary>
    internal bool CanReach(int member, ulong release)
    {
        for (uint slots = _slots[member]; slots != 0; slots &= slots - 1)
        {
            if (!_members[member].CanReach(BitOperations.TrailingZeroCount(slots), release))
            {
                return false;
            }
        }

        return true;
    }

    private bool CanAllReach(ulong release)
    {
        for (int member = 0; member < _members.Length; member++)
        {
            if (IsCounted(member) && !CanReach(member, release))
            {
                _table.ValuesRead += member;
                return false;
            }
        }

        _table.ValuesRead += _members.Length;
        return true;
    }

    private ulong Evaluate(in EvaluationPass pass)
    {
        Refresh();
        _table.ValuesRead += _valueCount;
        return _root.Count == 0 ? 0 : _root.Evaluate(pass, _table.Scratch.AsSpan(0, _scratchCount));
    }

    private void Refresh()
    {
        if (_obstacleVersion != _table.ObstacleVersion)
        {
            _table.ValuesRead += _rowCount;
            _root.Discount(new Discounting(_members, _countLeft, _table.ObstacleVersion));
            _obstacleVersion = _table.ObstacleVersion;
        }
    }
}

/// <summary>Removes members that are gone from what is bound.</summary>
/// <param name="Members">The members.</param>
/// <param name="CountLeft">Members that are gone keep counting.</param>
/// <param name="Version">Grows with each: a set that several operands name is written down once.</param>
internal readonly record struct Discounting(FrontierRow[] Members, bool CountLeft, long Version);

/// <summary>A bound argument of an operator.</summary>
internal abstract class BoundValue
{
    /// <summary>The number of values it yields now; smaller after members were discounted.</summary>
    public abstract int Count { get; }

    /// <summary>Removes members that are gone, unless they keep counting.</summary>
    public abstract void Discount(in Discounting now);

    /// <summary>Writes the values; <paramref name="scratch"/> may be used freely during the call.</summary>
    public abstract void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch);

    /// <summary>How many of its values have come to the release.</summary>
    public abstract int CountAt(ref ReleaseProbe probe);

    /// <summary>How many values of rows must come to the release, at least, before all of its values have; 0 when all have.</summary>
    public abstract long LackingForAll(ref ReleaseProbe probe);
}

/// <summary>A set read at one level: one value per element.</summary>
internal sealed class BoundLevel(BoundSet set, int slot) : BoundValue
{
    public override int Count => set.Count;

    public override void Discount(in Discounting now) => set.Discount(now);

    public override void Gather(in EvaluationPass pass, Span<ulong> into, Span<ulong> scratch) => set.Gather(pass, slot, into);

    public override int CountAt(ref ReleaseProbe probe) => set.CountAt(ref probe, slot);

    public override long LackingForAll(ref ReleaseProbe probe) => set.LackingForAll(ref probe, slot);
}

/// <summary>A look at which values have come to a release, and how many were read for it.</summary>
internal struct ReleaseProbe(FrontierRow[] rows, ulong release)
{
    public long ReadCount { get; private set; }

    public bool IsThere(int row, int slot)
    {
        ReadCount++;
        return rows[row].CountedAt(slot) >= release;
    }
}

/// <summary>One evaluation: over the current values, or over the values still reachable.</summary>
internal readonly struct EvaluationPass(FrontierRow[] rows, bool isUpperBound, ulong release)
{
    public ulong Read(int row, int slot)
    {
        FrontierRow at = rows[row];
        return isUpperBound && at.CanReach(slot, release) ? ulong.MaxValue : at.CountedAt(slot);
    }
}

/// <summary>A bound k, evaluated again when members are discounted, because SIZEOF changes with them.</summary>
internal sealed class BoundCount(CountNode node, BoundSet? set, BoundCount? left, BoundCount? right)
{
    public void Discount(in Discounting now)
    {
        set?.Discount(now);
        left?.Discount(now);
        right?.Discount(now);
    }

    /// <summary>False on a division by zero, or when far out of range.</summary>
    public bool TryEvaluate(out long value)
    {
        value = 0;
        switch (node)
        {
            case NumberNode number:
                value = number.Value;
                return true;
            case SizeOfNode:
                value = set!.Count;
                return true;
            default:
                return left!.TryEvaluate(out long a)
                    && right!.TryEvaluate(out long b)
                    && TryCompute(((ArithmeticNode)node).Sign, a, b, out value);
        }
    }

    private static bool TryCompute(char sign, long a, long b, out long value)
    {
        // Operands are within the range of int, so that nothing overflows before it is checked.
        value = sign switch
        {
            '+' => a + b,
            '-' => a - b,
            '*' => a * b,
            _ => b == 0 ? long.MaxValue : a / b,
        };
        return Math.Abs((decimal)value) <= int.MaxValue;
    }
}

/// <summary>
/// The elements of a set: rows, or groups of rows whose value is the lowest of their rows. Elements that are not discounted are kept
/// separately, in arrays allocated once. Operands that name one set share it.
/// </summary>
internal sealed class BoundSet
{
    private readonly int[] _rows;
    private readonly int[] _ends;
    private readonly int[] _countedRows;
    private readonly int[] _countedEnds;
    private long _version = long.MinValue;

    /// <param name="rows">The rows of all elements, one element after another.</param>
    /// <param name="ends">For each element, the end index of its rows.</param>
    public BoundSet(int[] rows, int[] ends)
    {
        _rows = rows;
        _ends = ends;
        _countedRows = [.. rows];
        _countedEnds = [.. ends];
        Count = ends.Length;
    }

    /// <summary>The number of elements that count; a group counts while one of its rows does.</summary>
    public int Count { get; private set; }

    public ReadOnlySpan<int> Rows => _rows;

    public void Discount(in Discounting now)
    {
        if (_version == now.Version)
        {
            return;
        }

        _version = now.Version;
        Count = 0;
        int kept = 0;
        int at = 0;
        foreach (int end in _ends)
        {
            int keptBefore = kept;
            for (; at < end; at++)
            {
                if (now.CountLeft || !now.Members[_rows[at]].IsGone)
                {
                    _countedRows[kept++] = _rows[at];
                }
            }

            if (kept > keptBefore)
            {
                _countedEnds[Count++] = kept;
            }
        }
    }

    /// <summary>Writes each element's value at a slot.</summary>
    public void Gather(in EvaluationPass pass, int slot, Span<ulong> into)
    {
        int at = 0;
        for (int element = 0; element < Count; element++)
        {
            ulong least = ulong.MaxValue;
            for (int end = _countedEnds[element]; at < end; at++)
            {
                least = Math.Min(least, pass.Read(_countedRows[at], slot));
            }

            into[element] = least;
        }
    }

    /// <summary>How many elements have come to the release, a group with all of its rows.</summary>
    public int CountAt(ref ReleaseProbe probe, int slot)
    {
        int count = 0;
        int at = 0;
        for (int element = 0; element < Count; element++)
        {
            bool isThere = true;
            for (int end = _countedEnds[element]; at < end; at++)
            {
                isThere &= probe.IsThere(_countedRows[at], slot);
            }

            count += isThere ? 1 : 0;
        }

        return count;
    }

    /// <summary>How many rows have not come to the release. No row is in two elements.</summary>
    public long LackingForAll(ref ReleaseProbe probe, int slot)
    {
        long lacking = 0;
        int end = Count == 0 ? 0 : _countedEnds[Count - 1];
        for (int at = 0; at < end; at++)
        {
            lacking += probe.IsThere(_countedRows[at], slot) ? 0 : 1;
        }

        return lacking;
    }
}
