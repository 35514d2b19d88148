using System.Globalization;
using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The progress of all members of one application, as its primary's host knows it, and the waits on it. A wait binds to the members present
/// when its release was committed. Core thread.
/// </summary>
internal sealed class PrimaryFrontier : IDisposable
{
    /// <summary>Approximate size of a row with its member's name, zone and labels.</summary>
    private const int GoneRowBytes = 512;

    /// <summary>The size limit of each of an answer's two member lists, so that both and the text fit one control frame.</summary>
    private const int NamedBytesMax = 60_000;

    private readonly HostContext _context;
    private readonly ApplicationPrimary _primary;
    private readonly Action<ulong> _demand;
    private readonly ApplicationFrontier _frontier;
    private readonly Queue<FrontierRow> _gone = [];
    private readonly SortedDictionary<ulong, IReadOnlyList<FrontierRow>> _membersAt = [];
    private IReadOnlyList<FrontierRow> _members = [];
    private readonly FrontierRow? _replica;
    private long _membersVersion = -1;

    /// <param name="context">The host's shared services.</param>
    /// <param name="primary">The application.</param>
    /// <param name="demand">Asks every member to report a release directly instead of through the ring.</param>
    internal PrimaryFrontier(HostContext context, ApplicationPrimary primary, Action<ulong> demand)
    {
        _context = context;
        _primary = primary;
        _demand = demand;
        _frontier = new ApplicationFrontier(new FrontierTable(primary.Name, primary.Generation), context.Core, context.Options.Zone);
        _replica = AddReplica();
    }

    internal static void AddMemory(MemoryBudget budget)
    {
        FrontierTable.AddMemory(budget);
        FrontierWaits.AddMemory(budget);
        HostLimits limits = HostLimits.Default;
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "frontier: members that are gone", limits.GoneRowsMax, GoneRowBytes);
        budget.Add<FrontierRow>(MemoryScope.Connection, MemoryKind.Retained, "frontier: a member at each commit", limits.CommitsKept);
    }

    /// <summary>The table itself, for instruments and checkers.</summary>
    public FrontierTable Table => _frontier.Table;

    /// <summary>How many commits are kept with their members.</summary>
    internal int CommitCount => _membersAt.Count;

    /// <summary>Waits in progress.</summary>
    internal int WaitCount => _frontier.Waits.Count;

    /// <summary>The application's topic number.</summary>
    internal uint Topic => _primary.Topic;

    /// <inheritdoc/>
    public void Dispose() => _frontier.Close();

    /// <summary>
    /// This host as a replica of the application, for <c>$HOSTS</c>, <c>$REPLICAS</c> and the paper's terms for its nodes.
    /// </summary>
    private FrontierRow? AddReplica()
    {
        Table.TryAdd(LocalReplica.Member(_context.Options.Name, _context.Options.Zone, _context.Epoch.Value), out FrontierRow? row);
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

        EvaluateWaits();
    }

    internal void OnSilent(FrontierRow? row)
    {
        if (row is not null)
        {
            Table.SetStatus(row, MemberStatus.Silent);
        }
    }

    /// <summary>Records reported levels; true if the table changed.</summary>
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

    /// <summary>Records a rejection; true if the table changed.</summary>
    internal bool OnRejection(FrontierRow? row, RejectionRow rejection) =>
        row is not null && Table.Reject(row, rejection.Generation, rejection.Release, rejection.Reason);

    internal void OnCommitted(ReleaseHeader header)
    {
        if (_membersVersion != Table.MembershipVersion)
        {
            _members = Table.CurrentMembers();
            _membersVersion = Table.MembershipVersion;
        }

        if (_replica is not null)
        {
            // The commit predicate held, so this replica has the release on disk; a primary also counts as having applied what it delivers.
            Table.Report(_replica, header.Generation, header.Release, header.Release, header.Release, isDirect: true);
        }

        _membersAt[header.Release] = _members;
        if (_membersAt.Count > _context.Options.Limits.CommitsKept)
        {
            _membersAt.Remove(_membersAt.Keys.First());
        }
    }

    internal void OnGeneration(uint generation)
    {
        Table.BeginGeneration(generation);
        EvaluateWaits();
    }

    /// <summary>Evaluates the waits after a table change: ends those that hold, or can no longer hold.</summary>
    internal void EvaluateWaits() => _frontier.OnTableChanged();

    internal IEnumerable<StatusRow> Rows()
    {
        foreach (FrontierRow row in Table.Rows.Where(r => !r.Member.IsHost))
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

    /// <summary>Begins a wait. Null with a refusal if it cannot begin; null without one if it ended before this returned.</summary>
    internal IDisposable? Begin(Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal)
    {
        refusal = null;
        uint generation = wait.Generation == 0 ? Table.Generation : wait.Generation;
        if (wait.Release == 0 || wait.Release > _primary.Committed.Release)
        {
            refusal = new Refusal(
                ErrorCode.NotFound,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Release {wait.Release} of '{_primary.Name}' is not committed; the newest is {_primary.Committed.Release}. "
                        + $"Wait for a committed release."));
            return null;
        }

        if (!PredicateParser.TryParse(wait.Predicate, out Predicate? predicate, out PredicateError? error))
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
            _demand(wait.Release);
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

    /// <summary>As many members as fit half a control frame; the total gives their actual number.</summary>
    private static IEnumerable<WaitMember> Fitting(IEnumerable<FrontierWaitMember> members)
    {
        int bytes = 0;
        foreach (FrontierWaitMember member in members)
        {
            bytes += 64 + (3 * (member.Name.Length + member.Reason.Length));
            if (bytes > NamedBytesMax)
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
