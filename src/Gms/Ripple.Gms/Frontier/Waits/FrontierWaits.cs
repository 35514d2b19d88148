using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Frontier.Waits;

/// <summary>
/// The pending waits of one application, at most <see cref="WaitsMax"/>, evaluated in the order they were started. An evaluation costs
/// waits times members, so it may be done in parts; waits with the same text over the same list of members share a bound predicate. Belongs
/// to the core thread.
/// </summary>
internal sealed class FrontierWaits
{
    /// <summary>The most pending waits.</summary>
    public const int WaitsMax = 4_096;

    private const int SharedMax = 64;

    /// <summary>What it costs to see whether a wait is to be looked at, in values of rows.</summary>
    private const int CheckCost = 4;

    /// <summary>The most operands of a predicate that waits share: what is kept for others is small.</summary>
    private const int SharedOperandsMax = 4;

    /// <summary>Memory of a member in a set of a predicate: in two lists, as bound and as counted.</summary>
    private const int PlaceBytes = 4 * sizeof(int);

    /// <summary>Memory of a wait: its object, request, texts and callbacks.</summary>
    private const int WaitBytes = 1_024;

    private readonly FrontierTable _table;
    private readonly CoreLoop _loop;
    private readonly string? _zone;
    private readonly Alarm _alarm;
    private readonly List<FrontierWait> _waits = [];
    private readonly Dictionary<(string Text, bool CountLeft, IReadOnlyList<FrontierRow>? Members), BoundPredicate> _shared = [];
    private long _sharedMembership;
    private readonly Action _onDue;
    private (long Obstacles, long Crossings) _seen;
    private long _dueNs = long.MaxValue;
    private int _next;
    private bool _isDone = true;
    private bool _isEvaluating;

    /// <param name="table">The application's table.</param>
    /// <param name="loop">Provides the time and runs the one alarm that all timeouts share.</param>
    /// <param name="zone">This host's zone; null for none.</param>
    /// <param name="onDue">Called when the time of a wait is up: evaluates then, or soon; null to evaluate at once.</param>
    public FrontierWaits(FrontierTable table, CoreLoop loop, string? zone, Action? onDue = null)
    {
        _table = table;
        _loop = loop;
        _zone = zone;
        _onDue = onDue ?? (() => Evaluate(long.MaxValue));
        _alarm = new Alarm(OnAlarm);
    }

    /// <summary>
    /// Adds the memory of one application's waits and of their shared predicates, which name every member of the application.
    /// </summary>
    public static void AddMemory(MemoryBudget budget)
    {
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "frontier: waits", WaitsMax, WaitBytes);
        budget.Add(
            MemoryScope.Connection,
            MemoryKind.Transient,
            "frontier: a member in shared predicates",
            SharedMax * (SharedOperandsMax + 1),
            PlaceBytes);
    }

    /// <summary>How many waits are pending.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Starts a wait. Also true when it ended immediately: its callback has then run and <see cref="FrontierWait.IsEnded"/> is true. False
    /// when the predicate cannot be bound, the release is 0, or <see cref="WaitsMax"/> waits are pending; no callback is called then.
    /// </summary>
    public bool TryStart(
        FrontierWaitRequest request,
        [NotNullWhen(true)] out FrontierWait? wait,
        [NotNullWhen(false)] out PredicateError? error)
    {
        wait = null;
        if (request.Release == 0)
        {
            error = new PredicateError(0, "Releases are numbered from 1; there is nothing to wait for at 0.");
            return false;
        }

        if (Count == WaitsMax)
        {
            error = new PredicateError(0, $"{WaitsMax} waits on {_table.Application} are pending; try again when some have ended.");
            return false;
        }

        if (!TryBind(request, out BoundPredicate? bound, out error))
        {
            return false;
        }

        wait = new FrontierWait(_table, request, bound, DeadlineOf(request.TimeoutNs));
        _waits.Add(wait);
        Count++;
        _dueNs = Math.Min(_dueNs, wait.DeadlineNs);
        wait.Update(_loop.NowNs);
        if (wait.IsEnded)
        {
            SettleEnded();
        }
        else if (wait.DeadlineNs != long.MaxValue)
        {
            _loop.Alarms.ScheduleNoLater(_alarm, wait.DeadlineNs);
        }

        return true;
    }

    /// <summary>Ends a wait without an answer; does nothing when it has ended.</summary>
    public void Cancel(FrontierWait wait)
    {
        wait.Leave();
        SettleEnded();
    }

    /// <summary>
    /// Ends all waits without an answer and releases the alarm, when this host stops serving the application. Callers repeat their waits on
    /// another host.
    /// </summary>
    public void Close()
    {
        foreach (FrontierWait wait in _waits)
        {
            wait.Leave();
        }

        SettleEnded();
        _loop.Alarms.Cancel(_alarm);
    }

    /// <summary>
    /// Evaluates the waits that a change of the table or the time concerns, one after the other, until that is done or about
    /// <paramref name="valuesMax"/> values of rows were read: a wait is evaluated whole, so it may be more by the cost of one. Returns
    /// whether it is done; the next call goes on where this one ended. False when called by a callback: the evaluation under way sees its
    /// change. Nobody is looked at while no value came to a release that is waited for, nobody is gone, and no time is up.
    /// </summary>
    internal bool Evaluate(long valuesMax)
    {
        if (_isEvaluating)
        {
            return false;
        }

        (long, long) now = (_table.ObstacleVersion, _table.Crossings.Version);
        if (_isDone && now == _seen && _loop.NowNs < _dueNs)
        {
            return true;
        }

        _isEvaluating = true;
        _seen = now;
        long beganAt = _table.ValuesRead;
        int checks = 0;
        int passed = 0;
        // By index: callbacks may start waits, which are evaluated on start, and end others.
        while (passed < _waits.Count && _table.ValuesRead - beganAt < valuesMax)
        {
            _next = _next < _waits.Count ? _next : 0;
            FrontierWait wait = _waits[_next++];
            bool isDue = wait.IsDue(_loop.NowNs);
            if (isDue)
            {
                wait.Update(_loop.NowNs);
            }

            passed = isDue ? 0 : passed + 1;
            checks++;
        }

        // Not within the loop: with the smallest budget there is one round at least.
        _table.ValuesRead += (long)checks * CheckCost;
        _isDone = passed >= _waits.Count;
        _isEvaluating = false;
        SettleEnded();
        _next = _isDone ? 0 : _next;
        return _isDone;
    }

    private long DeadlineOf(long? timeoutNs) => timeoutNs is not { } delayNs
        ? long.MaxValue
        : delayNs > long.MaxValue - _loop.NowNs ? long.MaxValue : _loop.NowNs + Math.Max(delayNs, 0);

    private bool TryBind(
        FrontierWaitRequest request,
        [NotNullWhen(true)] out BoundPredicate? bound,
        [NotNullWhen(false)] out PredicateError? error)
    {
        if (_sharedMembership != _table.MembershipVersion || _shared.Count == SharedMax)
        {
            _shared.Clear();
            _sharedMembership = _table.MembershipVersion;
        }

        (string Text, bool CountLeft, IReadOnlyList<FrontierRow>? Members) key =
            (request.Predicate.Text, request.CountLeft, request.Members);
        error = null;
        if (_shared.TryGetValue(key, out bound))
        {
            return true;
        }

        BindingContext context = new() { Table = _table, Members = request.Members, Zone = _zone, CountLeft = request.CountLeft };
        if (!request.Predicate.TryBind(context, out bound, out error))
        {
            return false;
        }

        if (request.Predicate.OperandCount <= SharedOperandsMax)
        {
            _shared.Add(key, bound);
        }

        return true;
    }

    private void OnAlarm()
    {
        _isDone = false;
        _onDue();
        long nextNs = long.MaxValue;
        foreach (FrontierWait wait in _waits)
        {
            // Those whose time is up are evaluated: now, or by whoever evaluates in parts.
            nextNs = Math.Min(nextNs, wait.DeadlineNs > _loop.NowNs ? wait.DeadlineNs : long.MaxValue);
        }

        _dueNs = nextNs;
        if (nextNs != long.MaxValue)
        {
            _loop.Alarms.ScheduleNoLater(_alarm, nextNs);
        }
    }

    private void SettleEnded()
    {
        int pending = 0;
        int endedBefore = 0;
        for (int i = 0; i < _waits.Count; i++)
        {
            pending += _waits[i].IsEnded ? 0 : 1;
            endedBefore += _waits[i].IsEnded && i < _next ? 1 : 0;
        }

        Count = pending;
        // An evaluation in progress walks the list by index and removes ended waits when it is done.
        if (!_isEvaluating && pending < _waits.Count)
        {
            _waits.RemoveAll(static wait => wait.IsEnded);
            _next -= endedBefore;
        }
    }
}
