using System.Numerics;

namespace Ripple.Engine.Frontier.Predicates;

/// <summary>
/// A predicate over a fixed set of members. Evaluating allocates nothing. Members that leave or fail later are discounted, unless it was
/// bound to count them; nobody is added. Growing a row never lowers the value; discounting may move it either way. Belongs to the core
/// thread.
/// </summary>
internal sealed class BoundPredicate
{
    private readonly FrontierTable _table;
    private readonly FrontierRow[] _members;
    private readonly uint[] _slots;
    private readonly BoundOperator _root;
    private readonly int _scratchCount;
    private readonly bool _countLeft;
    private long _membershipVersion = -1;
    private long _valueVersion = -1;
    private ulong _value;

    internal BoundPredicate(
        Predicate predicate, BindingContext context, FrontierRow[] members, uint[] slots, BoundOperator root, int scratchCount)
    {
        Predicate = predicate;
        _table = context.Table;
        _countLeft = context.CountLeft;
        _members = members;
        _slots = slots;
        _root = root;
        _scratchCount = scratchCount;
        _table.EnsureScratch(scratchCount);
    }

    /// <summary>What was bound.</summary>
    public Predicate Predicate { get; }

    /// <summary>Those it was bound to, discounted ones included, by node id, then incarnation.</summary>
    public IReadOnlyList<FrontierRow> Members => _members;

    /// <summary>
    /// True once every member that the predicate names has left or failed and is discounted: nothing is left to evaluate.
    /// </summary>
    public bool IsEmpty
    {
        get
        {
            Refresh();
            return _root.Count == 0;
        }
    }

    /// <summary>A k that became meaningless because members were discounted; null when there is none. That operator's value is 0.</summary>
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
    /// What <see cref="Evaluate()"/> would give if every member that can still get to the release went on for ever, and those that cannot
    /// (gone, or rejected it) stayed where they are. Below the release: it can hold no more.
    /// </summary>
    public ulong EvaluateUpperBound(ulong release) => Evaluate(new EvaluationPass(_members, isUpperBound: true, release));

    /// <summary>Whether the predicate names a member of <see cref="Members"/> and it is not discounted.</summary>
    internal bool IsCounted(int member) => _slots[member] != 0 && (_countLeft || !_members[member].IsGone);

    /// <summary>Whether the predicate names a member and it is discounted.</summary>
    internal bool IsDiscounted(int member) => _slots[member] != 0 && !_countLeft && _members[member].IsGone;

    /// <summary>The least value of a member at the levels that are read of it.</summary>
    internal ulong ValueOf(int member)
    {
        ulong least = ulong.MaxValue;
        for (uint slots = _slots[member]; slots != 0; slots &= slots - 1)
        {
            least = Math.Min(least, _members[member].CountedAt(BitOperations.TrailingZeroCount(slots)));
        }

        return least;
    }

    /// <summary>Whether a member can still get to the release at every level that is read of it.</summary>
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
        return _root.Count == 0 ? 0 : _root.Evaluate(pass, _table.Scratch.AsSpan(0, _scratchCount));
    }

    private void Refresh()
    {
        if (_membershipVersion != _table.MembershipVersion)
        {
            _root.Discount(_members, _countLeft);
            _membershipVersion = _table.MembershipVersion;
        }
    }
}
