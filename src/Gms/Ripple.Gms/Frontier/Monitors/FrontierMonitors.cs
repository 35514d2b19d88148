using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Frontier.Monitors;

/// <summary>
/// The monitors of one application, at most <see cref="MonitorsMax"/>. Those with one predicate are evaluated once. A monitor is over the
/// members of the moment: who joins holds it up and never lowers it, who leaves no longer counts. Core thread.
/// </summary>
/// <param name="table">The progress of the application's members.</param>
/// <param name="core">The core.</param>
/// <param name="zone">This host's zone; null for none.</param>
internal sealed class FrontierMonitors(FrontierTable table, CoreLoop core, string? zone)
{
    /// <summary>The most monitors of an application.</summary>
    public const int MonitorsMax = 1_024;

    /// <summary>How soon after it a predicate is bound again: members join in storms, and to bind costs as much as several looks.</summary>
    public const long RebindNs = 10_000_000;

    /// <summary>A monitor with its texts and callbacks, and its place among others.</summary>
    private const int MonitorBytes = 1_024;

    private readonly SortedDictionary<string, Followed> _byText = new(StringComparer.Ordinal);
    private string _lookedLast = string.Empty;
    private bool _hasEnded;
    private bool _isLooking;

    /// <summary>Adds the memory of one application's monitors. What their predicates name is in the ledger of waits.</summary>
    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "frontier: monitors", MonitorsMax, MonitorBytes);

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Whether one of them takes only what members said themselves.</summary>
    public bool NeedsDirect => Count > 0 && _byText.Values.Any(f => f.Predicate.NeedsDirect && f.Monitors.Count > 0);

    /// <summary>Begins a monitor; its first point comes with one of the next looks. Null if there are too many.</summary>
    public FrontierMonitor? Begin(
        Predicate predicate,
        string? name,
        ulong version,
        WaitLedger.Lease lease,
        Action<FrontierPoint> onPoint,
        Action<Refusal> onEnded,
        out Refusal? refusal)
    {
        refusal = null;
        if (Count >= MonitorsMax)
        {
            lease.Dispose();
            refusal = new Refusal(ErrorCode.Busy, string.Create(
                CultureInfo.InvariantCulture,
                $"{MonitorsMax} monitors of '{table.Application}' are under way. Try again when some have ended."));
            return null;
        }

        var monitor = new FrontierMonitor(this, name, lease, onPoint, onEnded) { Version = version };
        Count++;
        Add(monitor, predicate);
        return monitor;
    }

    /// <summary>
    /// Takes over which predicates have names: monitors follow theirs, and end if it is there no more.
    /// </summary>
    /// <param name="find">The text and version of a name; null if there is none.</param>
    public void OnNames(Func<string, (string Text, ulong Version)?> find)
    {
        foreach (FrontierMonitor monitor in _byText.Values.SelectMany(f => f.Monitors).Where(m => m.Name is not null).ToArray())
        {
            (string Text, ulong Version)? named = find(monitor.Name!);
            if (named is { } found && found.Version == monitor.Version)
            {
                continue;
            }

            if (named is not { } changed || !PredicateParser.TryParse(changed.Text, out Predicate? predicate, out _))
            {
                monitor.End(new Refusal(
                    ErrorCode.InvalidPredicate, $"The predicate '{monitor.Name}' of '{table.Application}' was removed."));
                continue;
            }

            foreach (Followed followed in _byText.Values)
            {
                followed.Monitors.Remove(monitor);
            }

            monitor.Version = changed.Version;
            Add(monitor, predicate);
        }

        Sweep();
    }

    /// <summary>
    /// Evaluates what changed and tells it, until about so many values of rows were read; returns whether nothing is left to do now.
    /// </summary>
    /// <param name="valuesMax">The most values to read, by about one evaluation.</param>
    /// <param name="mustLookAgain">True if a predicate waits to be bound again: look again <see cref="RebindNs"/> later.</param>
    public bool Look(long valuesMax, out bool mustLookAgain)
    {
        mustLookAgain = false;
        long beganAt = table.ValuesRead;
        bool isDone = true;
        _isLooking = true;
        // In turns, so that the last are not for ever behind the first: those after the one that was looked at last come first.
        foreach (Followed followed in _byText.Values
            .Where(f => !f.IsCurrent(table))
            .OrderBy(f => string.CompareOrdinal(f.Predicate.Text, _lookedLast) <= 0)
            .ToArray())
        {
            if (table.ValuesRead - beganAt >= valuesMax)
            {
                isDone = false;
                break;
            }

            mustLookAgain |= !followed.TryLook(table, zone, core.NowNs);
            _lookedLast = followed.Predicate.Text;
        }

        _isLooking = false;
        Sweep();
        return isDone;
    }

    /// <summary>Ends all without a word, when this host no longer serves the application: who follows asks elsewhere.</summary>
    public void Close()
    {
        foreach (FrontierMonitor monitor in _byText.Values.SelectMany(f => f.Monitors).ToArray())
        {
            monitor.Dispose();
        }

        Sweep();
    }

    internal void OnEnded()
    {
        Count--;
        _hasEnded = true;
        Sweep();
    }

    private void Add(FrontierMonitor monitor, Predicate predicate)
    {
        if (!_byText.TryGetValue(predicate.Text, out Followed? followed))
        {
            followed = new Followed(predicate);
            _byText.Add(predicate.Text, followed);
        }

        followed.Add(monitor);
    }

    /// <summary>Takes out who has ended, and what nobody follows; not while they are walked through.</summary>
    private void Sweep()
    {
        if (_isLooking)
        {
            return;
        }

        if (_hasEnded)
        {
            _hasEnded = false;
            foreach (Followed followed in _byText.Values)
            {
                followed.Monitors.RemoveAll(m => m.IsEnded);
            }
        }

        foreach (string text in _byText.Where(f => f.Value.Monitors.Count == 0).Select(f => f.Key).ToArray())
        {
            _byText[text].Leave(table);
            _byText.Remove(text);
        }
    }

    /// <summary>A predicate, and who follows it.</summary>
    private sealed class Followed(Predicate predicate)
    {
        private BoundPredicate? _bound;
        private string? _problem;
        private long _boundMembership = -1;
        private long _boundNs;
        private long _lookedVersion = -1;
        private bool _isNew = true;
        private WatchedRelease? _next;
        private ulong _release;
        private long _lacking;
        private long _judgedReached;
        private long _obstacleVersion = -1;

        public Predicate Predicate => predicate;

        public List<FrontierMonitor> Monitors { get; } = [];

        public void Add(FrontierMonitor monitor)
        {
            Monitors.Add(monitor);
            _isNew = true;
        }

        /// <summary>
        /// Whether all who follow know its value: it is that of before until as many values came to the next release as that lacked.
        /// </summary>
        public bool IsCurrent(FrontierTable table) => !_isNew
            && (_lookedVersion == table.Version
                || (_boundMembership == table.MembershipVersion
                    && _obstacleVersion == table.ObstacleVersion
                    && Reached - _judgedReached < _lacking));

        /// <summary>Watches no release any more.</summary>
        public void Leave(FrontierTable table)
        {
            if (_next is not null)
            {
                table.Crossings.Leave(_next);
                _next = null;
            }
        }

        /// <summary>Evaluates and tells; false if that has to wait for a while.</summary>
        public bool TryLook(FrontierTable table, string? zone, long nowNs)
        {
            if (_boundMembership != table.MembershipVersion)
            {
                if (_boundMembership >= 0 && nowNs - _boundNs < RebindNs)
                {
                    return false;
                }

                Bind(table, zone, nowNs);
            }

            // A value is told of what is committed in this generation alone: rows of another one are reset before.
            ulong release = Evaluate(table);
            string? problem = _problem ?? _bound?.Problem?.ToString();
            (_isNew, _lookedVersion) = (false, table.Version);
            for (int i = 0; i < Monitors.Count; i++)
            {
                // By index: who is told may end itself or others, or begin another.
                if (!Monitors[i].IsEnded)
                {
                    Monitors[i].Tell(table.Generation, release, problem);
                }
            }

            return true;
        }

        private long Reached => _next is null || _bound is null ? 0 : _next.ReachedIn(_bound.SlotsRead);

        private ulong Evaluate(FrontierTable table)
        {
            if (_bound is null)
            {
                // Only other members change that.
                Leave(table);
                (_release, _lacking) = (0, long.MaxValue);
            }
            else if (_next is null || _obstacleVersion != table.ObstacleVersion || _bound.Lacking(_next.Release) == 0)
            {
                Leave(table);
                _release = _bound.Evaluate();
                _next = table.Crossings.Watch(_release + 1);
                _lacking = _bound.Lacking(_release + 1);
            }
            else
            {
                _lacking = _bound.Lacking(_next.Release);
            }

            (_obstacleVersion, _judgedReached) = (table.ObstacleVersion, Reached);
            return _release;
        }

        private void Bind(FrontierTable table, string? zone, long nowNs)
        {
            Leave(table);
            (_boundMembership, _boundNs) = (table.MembershipVersion, nowNs);
            _problem = predicate.TryBind(new BindingContext { Table = table, Zone = zone }, out _bound, out PredicateError? error)
                ? null
                : error.ToString();
            foreach (FrontierMonitor monitor in Monitors)
            {
                if (!monitor.IsEnded && _bound is not null)
                {
                    monitor.Lease.Change(_bound.Cost);
                }
            }
        }
    }
}
