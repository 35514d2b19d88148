using System.Numerics;

namespace Ripple.Engine.Frontier.Predicates;

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
    private readonly bool _countLeft;
    private long _membershipVersion = -1;
    private long _valueVersion = -1;
    private ulong _value;

    internal BoundPredicate(
        Predicate predicate,
        BindingContext context,
        FrontierRow[] members,
        uint[] slots,
        BoundOperator root,
        int scratchCount,
        int valueCount)
    {
        Predicate = predicate;
        _table = context.Table;
        _countLeft = context.CountLeft;
        _members = members;
        _slots = slots;
        _root = root;
        _scratchCount = scratchCount;
        _valueCount = valueCount;
        _table.EnsureScratch(scratchCount);
    }

    /// <summary>
    /// What a look at a wait costs, in values of rows: those that an evaluation reads, and one for each member, who is counted. Also its
    /// memory, in places of members.
    /// </summary>
    public long Cost => (long)_valueCount + _members.Length;

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
    /// The value of <see cref="Evaluate()"/> if every member that can still reach the release advanced without limit, and the others (gone,
    /// or having rejected it) stayed where they are. When it is below the release, the predicate can no longer hold.
    /// </summary>
    public ulong EvaluateUpperBound(ulong release) => Evaluate(new EvaluationPass(_members, isUpperBound: true, release));

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

    private ulong Evaluate(in EvaluationPass pass)
    {
        Refresh();
        _table.ValuesRead += _valueCount;
        return _root.Count == 0 ? 0 : _root.Evaluate(pass, _table.Scratch.AsSpan(0, _scratchCount));
    }

    private void Refresh()
    {
        if (_membershipVersion != _table.MembershipVersion)
        {
            _table.ValuesRead += _valueCount;
            _root.Discount(_members, _countLeft);
            _membershipVersion = _table.MembershipVersion;
        }
    }
}
