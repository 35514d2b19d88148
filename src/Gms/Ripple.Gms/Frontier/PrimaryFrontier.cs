using System.Globalization;
using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Core;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// Who has what of one application, as its primary's host knows it, and the waits over it. A wait binds to the members there were when its release committed.
/// Core thread.
/// </summary>
public sealed class PrimaryFrontier : IDisposable
{
    private const int GoneRowsMax = 512;
    private const int GoneRowBytes = 512;
    private const int CommitsKept = 1_024;

    private readonly HostContext _context;
    private readonly ApplicationPrimary _primary;
    private readonly HostCore _host;
    private readonly ApplicationFrontier _frontier;
    private readonly SortedDictionary<ulong, FrontierRow> _rows = [];
    private readonly Queue<FrontierRow> _gone = [];
    private readonly SortedDictionary<ulong, IReadOnlyList<FrontierRow>> _membersAt = [];
    private IReadOnlyList<FrontierRow> _members = [];
    private readonly FrontierRow? _replica;
    private long _membersVersion = -1;

    internal PrimaryFrontier(HostContext context, ApplicationPrimary primary, HostCore host)
    {
        _context = context;
        _primary = primary;
        _host = host;
        _frontier = new ApplicationFrontier(new FrontierTable(primary.Name, primary.Generation), context.Core, context.Options.Zone);
        _replica = AddReplica();
    }

    internal static void AddMemory(MemoryBudget budget)
    {
        FrontierTable.AddMemory(budget);
        FrontierWaits.AddMemory(budget);
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "frontier: members that are gone", GoneRowsMax, GoneRowBytes);
        budget.Add<FrontierRow>(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member at each commit", CommitsKept);
    }

    /// <summary>The table itself, for instruments and checkers.</summary>
    public FrontierTable Table => _frontier.Table;

    /// <summary>Waits under way.</summary>
    public int WaitCount => _frontier.Waits.Count;

    /// <inheritdoc/>
    public void Dispose() => _frontier.Close();

    /// <summary>This host as a replica of the application, for <c>$HOSTS</c>, <c>$REPLICAS</c> and the paper's words for its nodes.</summary>
    private FrontierRow? AddReplica()
    {
        Table.TryAdd(LocalReplica.Member(_context), out FrontierRow? row);
        if (row is not null && _primary.CommittedHeader is { } header)
        {
            Table.Report(row, header.Generation, header.Release, header.Release, header.Release, isDirect: true);
        }

        return row;
    }

    internal void OnJoined(MemberRecord record)
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
        if (Table.TryAdd(member, out FrontierRow? row))
        {
            _rows[record.Incarnation] = row;
        }
    }

    internal void OnRemoved(MemberRecord record, RemovalCause cause)
    {
        if (!_rows.Remove(record.Incarnation, out FrontierRow? row))
        {
            return;
        }

        Table.SetStatus(row, cause is RemovalCause.Left or RemovalCause.Replaced ? MemberStatus.Left : MemberStatus.Failed);
        _gone.Enqueue(row);
        if (_gone.Count > GoneRowsMax)
        {
            Table.Remove(_gone.Dequeue());
        }

        _frontier.OnTableChanged();
    }

    internal void OnSilent(MemberRecord record)
    {
        if (_rows.TryGetValue(record.Incarnation, out FrontierRow? row))
        {
            Table.SetStatus(row, MemberStatus.Silent);
        }
    }

    /// <summary>Takes evidence; true when the table changed.</summary>
    internal bool OnLevels(MemberRecord record, LevelRow levels, bool isDirect)
    {
        if (levels.Generation == 0 || !_rows.TryGetValue(record.Incarnation, out FrontierRow? row))
        {
            return false;
        }

        if (_context.Breaks(PlantedHostBugs.RowsGoBack) && levels.Applied < row.Applied && levels.Generation == row.Generation)
        {
            FrontierMember member = row.Member;
            Table.Remove(row);
            Table.TryAdd(member, out row);
            _rows[record.Incarnation] = row!;
        }

        Table.SetStatus(row!, MemberStatus.Present);
        return Table.Report(row!, levels.Generation, levels.Received, levels.Persisted, levels.Applied, isDirect);
    }

    internal bool OnRejection(MemberRecord record, RejectionRow rejection) =>
        _rows.TryGetValue(record.Incarnation, out FrontierRow? row) && Table.Reject(row, rejection.Generation, rejection.Release, rejection.Reason);

    internal void OnCommitted(ReleaseHeader header)
    {
        if (_membersVersion != Table.MembershipVersion)
        {
            _members = Table.CurrentMembers();
            _membersVersion = Table.MembershipVersion;
        }

        if (_replica is not null)
        {
            // The commit predicate held, so this replica has it on its disk; what a primary delivers it has in effect itself.
            Table.Report(_replica, header.Generation, header.Release, header.Release, header.Release, isDirect: true);
        }

        _membersAt[header.Release] = _members;
        if (_membersAt.Count > CommitsKept)
        {
            _membersAt.Remove(_membersAt.Keys.First());
        }
    }

    internal void OnGeneration(uint generation)
    {
        Table.BeginGeneration(generation);
        _frontier.OnTableChanged();
    }

    internal void OnChanged() => _frontier.OnTableChanged();

    internal IEnumerable<StatusRow> Rows()
    {
        foreach (FrontierRow row in Table.Rows.Where(r => !r.Member.IsHost))
        {
            // A fact that stays, also when a later release superseded it; the applied level says whether one did.
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

    /// <summary>Begins a wait. Null with a refusal when it cannot begin; null without one when it ended before this returned.</summary>
    internal IDisposable? Begin(Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal)
    {
        refusal = null;
        uint generation = wait.Generation == 0 ? Table.Generation : wait.Generation;
        if (wait.Release == 0 || wait.Release > _primary.Committed.Release)
        {
            refusal = new Refusal(
                ErrorCode.NotFound,
                string.Create(CultureInfo.InvariantCulture, $"Release {wait.Release} of '{_primary.Name}' is not committed; the newest is {_primary.Committed.Release}. Wait for a committed release."));
            return null;
        }

        string text = _context.Breaks(PlantedHostBugs.WaitHoldsEarly) ? "MAX($ALL.applied)" : wait.Predicate;
        if (!PredicateParser.TryParse(text, out Predicate? predicate, out PredicateError? error))
        {
            refusal = new Refusal(ErrorCode.InvalidPredicate, $"The predicate is not one. {error}");
            return null;
        }

        var request = new FrontierWaitRequest
        {
            Predicate = predicate,
            Generation = generation,
            Release = wait.Release,
            Members = _membersAt.GetValueOrDefault(wait.Release),
            CountLeft = wait.CountLeft,
            TimeoutNs = wait.TimeoutMs == 0 ? null : wait.TimeoutMs * 1_000_000L,
            OnEnded = (_, result) => onEnded(Describe(wait.Call, result)),
            OnProgress = (_, progress) => onProgress(new WaitProgress(wait.Call, (uint)progress.Holding, (uint)progress.Total)),
        };
        if (!_frontier.Waits.TryStart(request, out FrontierWait? started, out error))
        {
            refusal = new Refusal(ErrorCode.InvalidPredicate, $"The wait cannot begin. {error}");
            return null;
        }

        if (started.IsEnded)
        {
            return null;
        }

        if (predicate.NeedsDirect)
        {
            _host.Demand(_primary, wait.Release);
        }

        return new Handle(_frontier.Waits, started);
    }

    private static WaitResult Describe(uint call, FrontierWaitResult result) => new(
        call,
        ErrorCode.None,
        result.Text,
        (byte)result.Outcome,
        (uint)result.Total,
        [.. Fitting(result.Members)],
        [.. Fitting(result.Discounted)]);

    /// <summary>As many as fit half a control frame; the total says how many there are.</summary>
    private static IEnumerable<WaitMember> Fitting(IEnumerable<FrontierWaitMember> members)
    {
        int bytes = 0;
        foreach (FrontierWaitMember member in members)
        {
            bytes += 64 + (3 * (member.Name.Length + member.Reason.Length));
            if (bytes > 60_000)
            {
                yield break;
            }

            yield return Describe(member);
        }
    }

    private static WaitMember Describe(FrontierWaitMember member) => new(member.Node, member.Name, member.Value, member.Reason);

    private sealed class Handle(FrontierWaits waits, FrontierWait wait) : IDisposable
    {
        public void Dispose() => waits.Cancel(wait);
    }
}
