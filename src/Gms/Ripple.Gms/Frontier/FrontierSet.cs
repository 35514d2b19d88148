using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The frontiers of all applications of a host. All evidence of one message or aggregate is recorded first; then the waits it affects are
/// looked at, within a budget of the core's time that all applications share. Core thread.
/// </summary>
internal sealed class FrontierSet : IDisposable
{
    /// <summary>Batching delay: heartbeats arrive individually from every node, and each evaluation costs waits times members.</summary>
    private const long EvaluateDelayNs = 10_000_000;

    /// <summary>How soon a host that is not sure that it leads looks again.</summary>
    private const long UnsureDelayNs = 50_000_000;

    /// <summary>The most values of rows that one application reads before it is the turn of the next.</summary>
    private const long TurnValuesMax = EvaluationBudget.ValuesMax / 4;

    /// <summary>The most awaited members of an application that are given up in one turn: each is taken out of a table.</summary>
    private const int GivenUpAtOnceMax = 256;

    private readonly HostContext _context;
    private readonly SortedDictionary<uint, ApplicationFrontier> _byTopic = [];
    private readonly Queue<ApplicationFrontier> _changed = [];
    private readonly List<ApplicationFrontier> _later = [];
    private readonly EvaluationBudget _budget;
    private readonly Alarm _evaluate;
    private readonly Alarm _giveUp;
    private bool _hasTicked;
    private bool _isLooking;
    private bool _isClosed;
    private uint _storedTopic;

    /// <param name="context">The host's shared services.</param>
    public FrontierSet(HostContext context)
    {
        _context = context;
        _budget = new EvaluationBudget(context.Core);
        _evaluate = new Alarm(OnEvaluate);
        _giveUp = new Alarm(GiveUpAwaited);
    }

    /// <summary>Adds the memory of frontiers.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        ApplicationFrontier.AddMemory(budget);
        WaitLedger.AddMemory(budget);
    }

    /// <summary>What the waits of all applications cost.</summary>
    public WaitLedger Ledger { get; } = new();

    /// <summary>Asks every member of an application to report a release directly instead of through the ring.</summary>
    public Action<ApplicationPrimary, ulong>? OnDemand { get; set; }

    /// <summary>Creates the frontier of an application.</summary>
    public void Add(ApplicationPrimary primary, StoredApplication stored) =>
        _byTopic.Add(primary.Topic, new ApplicationFrontier(_context, primary, stored, this));

    /// <summary>Called some times a second while the core runs.</summary>
    public void OnTick()
    {
        if (!_hasTicked)
        {
            // Only now: a host is made before its core has a clock.
            _hasTicked = true;
            _context.Core.ScheduleIn(_giveUp, _context.Options.Limits.ReturnNs);
        }

        StoreMembers();
    }

    /// <summary>The frontier of an application of this host.</summary>
    public ApplicationFrontier Of(ApplicationPrimary primary) => _byTopic[primary.Topic];

    /// <inheritdoc cref="OnDemand"/>
    public void Demand(ApplicationPrimary primary, ulong release) => OnDemand?.Invoke(primary, release);

    /// <summary>Notes that an application's waits are to be looked at, with the next look.</summary>
    public void OnChanged(ApplicationFrontier frontier)
    {
        if (!frontier.IsChanged)
        {
            frontier.IsChanged = true;
            _changed.Enqueue(frontier);
        }
    }

    /// <summary>Notes it, and looks.</summary>
    public void LookAt(ApplicationFrontier frontier)
    {
        OnChanged(frontier);
        EvaluateWaits();
    }

    /// <summary>
    /// Looks at the waits of all applications that changed, in turns, as far as the core has time for it; the rest follows with later
    /// turns of the core. Whoever reports more often than that does not cost more.
    /// </summary>
    public void EvaluateWaits()
    {
        if (_isLooking)
        {
            // Called by who was told of the end of a wait: the look under way comes to it.
            return;
        }

        _isLooking = true;
        Look();
        _isLooking = false;
    }

    /// <summary>Looks at an application again with the next alarm, and not before: what is left of it takes time, and not work.</summary>
    public void LookLater(ApplicationFrontier frontier)
    {
        if (!_later.Contains(frontier))
        {
            _later.Add(frontier);
        }

        _context.Core.Alarms.ScheduleNoLater(_evaluate, _context.Core.NowNs + EvaluateDelayNs);
    }

    /// <summary>Evaluates them shortly afterwards, together with further changes until then.</summary>
    public void EvaluateSoon()
    {
        if (_changed.Count > 0)
        {
            _context.Core.Alarms.ScheduleNoLater(_evaluate, _context.Core.NowNs + EvaluateDelayNs);
        }
    }

    /// <summary>
    /// Ends all waits without an answer, and stores no members any more: that they leave because this host stops says nothing about
    /// a release. Clients ask again elsewhere.
    /// </summary>
    public void Close()
    {
        _isClosed = true;
        foreach (ApplicationFrontier frontier in _byTopic.Values)
        {
            frontier.Dispose();
        }
    }

    public void Dispose()
    {
        _context.Core.Alarms.Cancel(_evaluate);
        _context.Core.Alarms.Cancel(_giveUp);
        Close();
    }

    private void OnEvaluate()
    {
        foreach (ApplicationFrontier frontier in _later)
        {
            OnChanged(frontier);
        }

        _later.Clear();
        EvaluateWaits();
    }

    private void GiveUpAwaited()
    {
        foreach (ApplicationFrontier frontier in _byTopic.Values.Where(f => f.IsAwaiting))
        {
            frontier.GiveUpAwaited(GivenUpAtOnceMax);
        }

        if (_byTopic.Values.Any(f => f.IsAwaiting))
        {
            _context.Core.ScheduleIn(_giveUp, EvaluateDelayNs);
        }

        EvaluateSoon();
    }

    /// <summary>Has the members of one application stored that changed since, one a turn.</summary>
    private void StoreMembers()
    {
        if (_isClosed || !_context.Lease.IsHeld)
        {
            return;
        }

        // The next one after the one before, in the order of topics: many changes of one keep no other waiting.
        ApplicationFrontier? next = _byTopic.Values.FirstOrDefault(f => f.Topic > _storedTopic && f.AreMembersChanged)
            ?? _byTopic.Values.FirstOrDefault(f => f.AreMembersChanged);
        _storedTopic = next?.Topic ?? 0;
        next?.StoreMembers();
    }

    private void Look()
    {
        while (_changed.Count > 0)
        {
            if (!_context.Lease.IsHeld)
            {
                // Another host may lead: what was waited for is told when it is sure, or by that host.
                _context.Core.Alarms.ScheduleNoLater(_evaluate, _context.Core.NowNs + UnsureDelayNs);
                return;
            }

            long left = _budget.Left;
            if (left <= 0)
            {
                _context.Core.Alarms.ScheduleNoLater(_evaluate, _budget.NextNs);
                return;
            }

            ApplicationFrontier next = _changed.Dequeue();
            next.IsChanged = false;
            long beganAt = next.Table.ValuesRead;
            if (!next.Look(Math.Min(left, TurnValuesMax)))
            {
                OnChanged(next);
            }

            _budget.Spend(Math.Max(1, next.Table.ValuesRead - beganAt));
        }
    }
}

/// <summary>
/// How much the core may spend on waits: <see cref="ValuesMax"/> values of rows in <see cref="IntervalNs"/>, about a quarter of its time.
/// What was spent beyond that, because a wait is evaluated whole, is paid back by the intervals that follow. Core thread.
/// </summary>
internal sealed class EvaluationBudget(CoreLoop core)
{
    /// <summary>The values of rows that may be read in an interval: about half a millisecond of a core.</summary>
    public const long ValuesMax = 131_072;

    /// <summary>The interval, in nanoseconds.</summary>
    public const long IntervalNs = 2_000_000;

    private const long IntervalsMax = 1_000_000;
    private long _left = ValuesMax;
    private long _refilledNs;

    /// <summary>When there is more again, in the core's nanoseconds.</summary>
    public long NextNs => _refilledNs + IntervalNs;

    /// <summary>The values that may be read now; 0 or less for none.</summary>
    public long Left
    {
        get
        {
            long intervals = (core.NowNs - _refilledNs) / IntervalNs;
            if (intervals > 0)
            {
                _refilledNs += intervals * IntervalNs;
                _left = Math.Min(ValuesMax, _left + (Math.Min(intervals, IntervalsMax) * ValuesMax));
            }

            return _left;
        }
    }

    /// <summary>Records that values were read.</summary>
    public void Spend(long values) => _left -= values;
}
