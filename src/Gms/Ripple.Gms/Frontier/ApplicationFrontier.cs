using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier.Monitors;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Frontier.Waits;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The progress of all members of one application, as its primary's host knows it, and the waits on it. A wait binds to the members of its
/// release, over restarts of the host. Core thread.
/// </summary>
internal sealed class ApplicationFrontier : IDisposable
{
    /// <summary>Approximate size of a row with its member's name, zone and labels.</summary>
    private const int GoneRowBytes = 512;

    /// <summary>Rows of members, of departed ones, and of those who were there before the host's start.</summary>
    private const int RowsMax = 32_768;

    /// <summary>The id of the single host: hosts do not enroll, and their ids are below all random ones.</summary>
    private static readonly NodeId HostId = new(0, 1);

    private readonly HostContext _context;
    private readonly ApplicationPrimary _primary;
    private readonly FrontierSet _set;
    private readonly ApplicationWaits _waits;
    private readonly FrontierMonitors _monitors;
    private readonly Queue<FrontierRow> _gone = [];
    private readonly ReleaseMembers _members;
    private readonly FrontierRow? _replica;

    /// <param name="context">The host's shared services.</param>
    /// <param name="primary">The application.</param>
    /// <param name="stored">The application in the store.</param>
    /// <param name="set">The frontiers of the host.</param>
    internal ApplicationFrontier(HostContext context, ApplicationPrimary primary, StoredApplication stored, FrontierSet set)
    {
        _context = context;
        _primary = primary;
        _set = set;
        Table = new FrontierTable(primary.Name, primary.Generation, RowsMax);
        _replica = AddReplica();
        _members = new ReleaseMembers(Table, stored, context.Options.Name, context.Options.Limits.CommitsKept);
        _waits = new ApplicationWaits(
            context.Core,
            primary,
            Table,
            new FrontierWaits(Table, context.Core, context.Options.Zone, () => set.LookAt(this)),
            set.Ledger,
            _members,
            // The newest release answers all others: waits for old ones, one after another, ask for nothing more.
            _ => set.Demand(primary, primary.Committed.Release));
        _monitors = new FrontierMonitors(Table, context.Core, context.Options.Zone);
    }

    internal static void AddMemory(MemoryBudget budget)
    {
        FrontierTable.AddMemory(budget);
        FrontierWaits.AddMemory(budget);
        FrontierMonitors.AddMemory(budget);
        HostLimits limits = HostLimits.Default;
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "frontier: members that are gone", limits.GoneRowsMax, GoneRowBytes);
        ReleaseMembers.AddMemory(budget);
    }

    /// <summary>The progress of each member.</summary>
    public FrontierTable Table { get; }

    /// <summary>How many commits are kept with their members.</summary>
    internal int CommitCount => _members.Count;

    /// <summary>Waits in progress.</summary>
    internal int WaitCount => _waits.Count;

    /// <summary>The application's name.</summary>
    internal string Name => _primary.Name;

    /// <summary>The application's topic number.</summary>
    internal uint Topic => _primary.Topic;

    /// <summary>The newest release, with its generation, in words.</summary>
    internal string Newest => string.Create(CultureInfo.InvariantCulture, $"{Table.Generation}/{_primary.Committed.Release}");

    /// <summary>True while it is among those whose waits are to be looked at; set by <see cref="FrontierSet"/>.</summary>
    internal bool IsChanged { get; set; }

    /// <summary>Monitors under way.</summary>
    internal int MonitorCount => _monitors.Count;

    /// <inheritdoc/>
    public void Dispose()
    {
        _waits.Close();
        _monitors.Close();
    }

    /// <summary>
    /// This host as a replica of the application, for <c>$HOSTS</c>, <c>$REPLICAS</c> and the paper's terms for its nodes.
    /// </summary>
    private FrontierRow? AddReplica()
    {
        var host = new FrontierMember
        {
            Node = HostId,
            Incarnation = _context.Epoch.Value,
            Name = _context.Options.Name,
            HostName = _context.Options.Name,
            Zone = _context.Options.Zone,
            IsHost = true,
            IsReplica = true,
        };
        Table.TryAdd(host, out FrontierRow? row);
        if (row is not null && _primary.CommittedHeader is { } header)
        {
            Table.Report(row, header.Generation, header.Release, header.Release, header.Release, isDirect: true);
        }

        return row;
    }

    /// <summary>Adds a joined node; returns its row, or null when the table is full.</summary>
    internal FrontierRow? OnJoined(MemberRecord record)
    {
        var member = new FrontierMember
        {
            Node = record.Node,
            Incarnation = record.Incarnation,
            Name = record.Name,
            Zone = record.Zone,
            HostName = _context.Options.Name,
            Labels = record.Labels,
        };
        if (_members.Resume(member, out FrontierRow? replaced) is { } resumed)
        {
            return resumed;
        }

        if (replaced is not null)
        {
            OnRemoved(replaced, RemovalCause.Replaced);
        }

        return Table.TryAdd(member, out FrontierRow? row) ? row : null;
    }

    internal void OnRemoved(FrontierRow row, RemovalCause cause)
    {
        Table.SetStatus(row, cause is RemovalCause.Left or RemovalCause.Replaced ? MemberStatus.Left : MemberStatus.Failed);
        _gone.Enqueue(row);
        if (_gone.Count > _context.Options.Limits.GoneRowsMax)
        {
            Table.Remove(_gone.Dequeue());
        }

        _set.OnChanged(this);
    }

    /// <summary>
    /// Whether this says more than anybody can have: a release that is not committed, or a generation that has not begun. It is refused,
    /// whoever tells it.
    /// </summary>
    internal bool IsImpossible(uint generation, ulong release) =>
        generation > Table.Generation || (generation == Table.Generation && release > _primary.Committed.Release);

    /// <summary>Records reported levels, which must be possible; true if the table changed.</summary>
    /// <param name="row">The member's row; null when it has none.</param>
    /// <param name="levels">The member's levels.</param>
    /// <param name="isDirect">True if the member reported directly, false if through the ring.</param>
    internal bool OnLevels(FrontierRow? row, LevelRow levels, bool isDirect)
    {
        if (levels.Generation == 0 || row is null)
        {
            return false;
        }

        Table.SetStatus(row, MemberStatus.Present);
        return Table.Report(row, levels.Generation, levels.Received, levels.Persisted, levels.Applied, isDirect);
    }

    /// <summary>
    /// Records a rejection, which must be possible; true if the table changed. The reason is the node's own words, which people read: what
    /// is not shown goes out of it here, whichever way it came.
    /// </summary>
    internal bool OnRejection(FrontierRow? row, RejectionRow rejection, bool isDirect) =>
        row is not null
        && Table.Reject(row, rejection.Generation, rejection.Release, ShownText.WithoutHidden(rejection.Reason), isDirect);

    /// <summary>True while members of before the host's start are awaited.</summary>
    internal bool IsAwaiting => _members.IsAwaiting;

    /// <summary>Gives up on some members that did not come back after the host's start: they failed.</summary>
    internal void GiveUpAwaited(int countMax)
    {
        foreach (FrontierRow row in _members.TakeAwaited(countMax))
        {
            OnRemoved(row, RemovalCause.Failed);
        }
    }

    /// <inheritdoc cref="ReleaseMembers.OnOrdered"/>
    internal MembershipChange? OnOrdered(ulong first, ulong last) => _members.OnOrdered(first, last);

    /// <inheritdoc cref="ReleaseMembers.OnStored"/>
    internal void OnMembersStored() => _members.OnStored();

    /// <inheritdoc cref="ReleaseMembers.IsChanged"/>
    internal bool AreMembersChanged => _members.IsChanged;

    /// <inheritdoc cref="ApplicationPrimary.StoreMembers"/>
    internal void StoreMembers() => _primary.StoreMembers();

    internal void OnCommitted(ReleaseHeader header)
    {
        if (_replica is not null)
        {
            // It is committed, so this replica has the release on disk; a primary also counts as having applied what it delivers.
            Table.Report(_replica, header.Generation, header.Release, header.Release, header.Release, isDirect: true);
        }

        _members.OnCommitted(header.Release);
        if (_monitors.NeedsDirect)
        {
            _set.Demand(_primary, header.Release);
        }

        if (_monitors.Count > 0)
        {
            _set.OnChanged(this);
            _set.EvaluateSoon();
        }
    }

    internal void OnGeneration(uint generation)
    {
        Table.BeginGeneration(generation);
        _set.LookAt(this);
    }

    /// <summary>
    /// Looks at the waits after a table change, and begins some that were asked for, until about so many values of rows were read; returns
    /// whether nothing is left to do.
    /// </summary>
    internal bool Look(long valuesMax)
    {
        long beganAt = Table.ValuesRead;
        // Waits end, so they come first; what is left, and a quarter in any case, is for who follows.
        bool isDone = _waits.Look(_monitors.Count == 0 ? valuesMax : valuesMax * 3 / 4);
        if (_monitors.Count == 0)
        {
            return isDone;
        }

        isDone &= _monitors.Look(Math.Max(1, valuesMax - (Table.ValuesRead - beganAt)), out bool mustLookAgain);
        if (mustLookAgain)
        {
            _set.LookLater(this);
        }

        return isDone;
    }

    /// <summary>Takes over what the application says about itself.</summary>
    /// <param name="levels">Its own levels.</param>
    /// <param name="areas">The zones of each area.</param>
    /// <param name="find">The text and version of a predicate's name; null if there is none.</param>
    internal void OnDefinitions(
        IEnumerable<string> levels,
        IReadOnlyDictionary<string, ImmutableArray<string>> areas,
        Func<string, (string Text, ulong Version)?> find)
    {
        Table.AddLevels(levels);
        Table.SetAreas(areas);
        if (_monitors.Count > 0)
        {
            _monitors.OnNames(find);
            _set.LookAt(this);
        }
    }

    /// <summary>Takes over which externals the application has, and how far they have come. Its levels must be there.</summary>
    internal void OnExternals(IReadOnlyCollection<string> names, IEnumerable<ExternalReport> reports)
    {
        bool isChanged = Table.SetExternals(names);
        foreach (ExternalReport report in reports)
        {
            FrontierRow? row = Table.Externals.FirstOrDefault(r => r.Member.Name == report.External);
            int level = Table.Levels.IndexOf(report.Level);
            isChanged |= row is not null
                && level >= FrontierLevels.Count
                && Table.Claim(row, report.Generation, level, report.Release);
        }

        if (isChanged)
        {
            _set.LookAt(this);
        }
    }

    internal IEnumerable<StatusRow> Rows() => RowsAfter(null);

    /// <summary>The rows after one, in table order; all if null. The table must not change while they are read.</summary>
    internal IEnumerable<StatusRow> RowsAfter((NodeId Node, ulong Incarnation)? after)
    {
        int first = after is { } last ? Table.CountUpTo(last.Node, last.Incarnation) : 0;
        foreach (FrontierRow row in Table.Rows.Skip(first).Where(r => r.Member.IsNode))
        {
            // The last rejection is reported even if a later release superseded it; the applied level tells.
            FrontierRejection? rejection = row.Rejections.Count > 0 ? row.Rejections[^1] : null;
            yield return new StatusRow(
                row.Member.Node,
                row.Member.Incarnation,
                row.Member.Name,
                row.Member.Zone,
                (byte)row.Status,
                row.Received,
                row.Persisted,
                row.Applied,
                row.DirectApplied,
                rejection?.Release ?? 0,
                rejection?.Reason ?? string.Empty);
        }
    }

    /// <summary>Takes a wait; null with the refusal if it cannot begin, null without one if it ended before this returned.</summary>
    internal IDisposable? Begin(
        ShareOwner owner, WaitShare share, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal)
    {
        HostedWait? asked = _waits.Ask(owner, share, wait, onProgress, onEnded, out refusal);
        if (asked is null)
        {
            return null;
        }

        _set.OnChanged(this);
        _set.EvaluateWaits();
        return asked.IsEnded ? null : asked;
    }

    /// <summary>Begins a monitor; null with the refusal if it cannot begin.</summary>
    /// <param name="owner">Who pays for it.</param>
    /// <param name="share">What else its connection or request has.</param>
    /// <param name="name">The name of the predicate; null if it was given as text.</param>
    /// <param name="text">The predicate.</param>
    /// <param name="version">Its version.</param>
    /// <param name="onPoint">Called with each point.</param>
    /// <param name="onEnded">Called with the reason if the host ends it.</param>
    /// <param name="refusal">Why it cannot begin.</param>
    internal FrontierMonitor? Follow(
        ShareOwner owner,
        WaitShare share,
        string? name,
        string text,
        ulong version,
        Action<FrontierPoint> onPoint,
        Action<Refusal> onEnded,
        out Refusal? refusal)
    {
        if (!PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error))
        {
            refusal = new Refusal(ErrorCode.InvalidPredicate, $"The predicate is not one. {error}");
            return null;
        }

        FrontierMonitor? monitor =
            _set.Ledger.TryTake(owner, share, predicate.CostMax(Table.Rows.Count), out refusal) is { } lease
                ? _monitors.Begin(predicate, name, version, lease, onPoint, onEnded, out refusal)
                : null;
        if (monitor is null)
        {
            return null;
        }

        if (predicate.NeedsDirect && _primary.Committed.Release > 0)
        {
            _set.Demand(_primary, _primary.Committed.Release);
        }

        _set.LookAt(this);
        return monitor;
    }
}
