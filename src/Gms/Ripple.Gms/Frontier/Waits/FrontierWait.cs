using System.Globalization;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Frontier.Waits;

/// <summary>One wait for a predicate to hold for one release. Created by <see cref="FrontierWaits"/>. Belongs to the core thread.</summary>
internal sealed class FrontierWait
{
    /// <summary>What a check costs at least, in values of rows.</summary>
    private const int UpdateCost = 16;

    private readonly FrontierTable _table;
    private readonly FrontierWaitRequest _request;
    private readonly BoundPredicate _bound;
    private readonly WatchedRelease _watched;
    private (long Obstacles, long Rejections) _obstacles = (-1, -1);
    private long _lacking;
    private long _judgedReached;
    private long _seenReached = -1;
    private int _holding = -1;
    private int _total = -1;

    internal FrontierWait(FrontierTable table, FrontierWaitRequest request, BoundPredicate bound, long deadlineNs)
    {
        _table = table;
        _request = request;
        _bound = bound;
        _watched = table.Crossings.Watch(request.Release);
        DeadlineNs = deadlineNs;
    }

    /// <summary>The predicate to wait for, bound to its members.</summary>
    public BoundPredicate Bound => _bound;

    /// <summary>The generation of the release.</summary>
    public uint Generation => _request.Generation;

    /// <summary>The release.</summary>
    public ulong Release => _request.Release;

    /// <summary>The deadline, in the loop's nanoseconds; <see cref="long.MaxValue"/> for never.</summary>
    public long DeadlineNs { get; }

    /// <summary>True once it has ended or was canceled.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>How many values that it reads came to its release since that is watched.</summary>
    private long Reached => _watched.ReachedIn(_bound.SlotsRead);

    private (long Obstacles, long Rejections) Obstacles => (_table.ObstacleVersion, _watched.RejectionCount);

    /// <summary>Why no release of an ended generation is waited for.</summary>
    public static string OfEndedGeneration(uint generation, FrontierTable table)
    {
        return Say($"Generation {generation} of {table.Application} ended; the application is in generation {table.Generation}.");
    }

    /// <summary>
    /// Whether what happened since it was last checked can end it or is progress, or its time is up. It can end it if a member is gone or
    /// rejected its release, or if as many values came to the release as it lacked, at least.
    /// </summary>
    internal bool IsDue(long nowNs) =>
        !IsEnded && (MayEnd(nowNs) || (_request.OnProgress is not null && _seenReached != Reached));

    /// <summary>Checks the table: ends the wait, reports progress, or does neither.</summary>
    internal void Update(long nowNs)
    {
        bool mayEnd = MayEnd(nowNs);
        _seenReached = Reached;
        _table.ValuesRead += UpdateCost;
        if (mayEnd && Judge(nowNs) is { } result)
        {
            Leave();
            _request.OnEnded(this, result);
        }
        else if (_request.OnProgress is not null)
        {
            ReportProgress(_request.OnProgress);
        }
    }

    /// <summary>Ends it, without an answer; does nothing when it has ended.</summary>
    internal void Leave()
    {
        if (!IsEnded)
        {
            IsEnded = true;
            _table.Crossings.Leave(_watched);
        }
    }

    private bool MayEnd(long nowNs) =>
        DeadlineNs <= nowNs || _obstacles != Obstacles || Reached - _judgedReached >= _lacking;

    private FrontierWaitResult? Judge(long nowNs)
    {
        if (_table.Generation > Generation)
        {
            return End(FrontierWaitOutcome.CannotHold, 0, OfEndedGeneration(Generation, _table), []);
        }

        if (_bound.IsEmpty)
        {
            return End(FrontierWaitOutcome.CannotHold, 0, "Every member left or failed.", List(_bound.IsDiscounted));
        }

        // A host may receive a wait before it learns that the generation began; its values are no evidence until then.
        bool isOfThis = _table.Generation == Generation;
        (_judgedReached, _lacking) = (_seenReached, isOfThis ? _bound.Lacking(Release) : long.MaxValue);
        if (_lacking == 0)
        {
            return End(FrontierWaitOutcome.Held, _bound.Evaluate(), "", []);
        }

        if (_obstacles != Obstacles)
        {
            if (_bound.EvaluateUpperBound(Release) < Release)
            {
                return EndCannotHold(isOfThis ? _bound.Evaluate() : 0);
            }

            _obstacles = Obstacles;
        }

        if (nowNs < DeadlineNs)
        {
            return null;
        }

        ulong value = isOfThis ? _bound.Evaluate() : 0;
        List<FrontierWaitMember> behind = List(member => _bound.IsCounted(member) && ValueOf(member) < Release);
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"Not in time: the predicate is at release {value}, and {Count(IsBehind)} of {Count(_bound.IsCounted)} members are behind "
                + $"release {Release}.");
        return End(FrontierWaitOutcome.TimedOut, value, text, behind);
    }

    private FrontierWaitResult EndCannotHold(ulong value)
    {
        List<FrontierWaitMember> members = List(IsStuck);
        string text = Say($"{Count(IsStuck)} of {Count(_bound.IsCounted)} members cannot get to release {Release}.");
        if (_bound.Problem is { } problem)
        {
            // Too few members remain for a k: the discounted ones are the cause.
            members.AddRange(List(_bound.IsDiscounted));
            text = Say($"{Count(_bound.IsDiscounted)} members left or failed. {problem.Message}");
        }

        return End(FrontierWaitOutcome.CannotHold, value, text, members);
    }

    private FrontierWaitResult End(FrontierWaitOutcome outcome, ulong value, string text, List<FrontierWaitMember> members)
    {
        int total = Count(_bound.IsCounted);
        return new FrontierWaitResult(outcome, value, total - Count(IsBehind), total, text, members, List(_bound.IsDiscounted));
    }

    private void ReportProgress(Action<FrontierWait, FrontierWaitProgress> onProgress)
    {
        int total = Count(_bound.IsCounted);
        int holding = total - Count(IsBehind);
        if (holding == _holding && total == _total)
        {
            return;
        }

        _holding = holding;
        _total = total;
        List<string> behind = [];
        for (int member = 0; member < _bound.Members.Count && behind.Count < FrontierWaitProgress.NamesMax; member++)
        {
            if (IsBehind(member))
            {
                behind.Add(_bound.Members[member].Member.Name);
            }
        }

        onProgress(this, new FrontierWaitProgress(holding, total, behind));
    }

    private bool IsBehind(int member) => _bound.IsCounted(member) && ValueOf(member) < Release;

    private bool IsStuck(int member) => _bound.IsCounted(member) && !_bound.CanReach(member, Release);

    private ulong ValueOf(int member) => _table.Generation == Generation ? _bound.ValueOf(member) : 0;

    private int Count(Func<int, bool> isCounted)
    {
        int count = 0;
        _table.ValuesRead += _bound.Members.Count;
        for (int member = 0; member < _bound.Members.Count; member++)
        {
            count += isCounted(member) ? 1 : 0;
        }

        return count;
    }

    private List<FrontierWaitMember> List(Func<int, bool> isListed)
    {
        List<FrontierWaitMember> listed = [];
        for (int member = 0; member < _bound.Members.Count && listed.Count < FrontierWaitResult.NamesMax; member++)
        {
            if (isListed(member))
            {
                FrontierMember who = _bound.Members[member].Member;
                listed.Add(new FrontierWaitMember(who.Node, who.Name, ValueOf(member), ReasonOf(member)));
            }
        }

        return listed;
    }

    private string ReasonOf(int member)
    {
        FrontierRow row = _bound.Members[member];
        return row switch
        {
            { Status: MemberStatus.Left } => "left",
            { Status: MemberStatus.Failed } => "failed",
            _ when !_bound.CanReach(member, Release) && row.FindRejection(Release, isDirect: false) is { } rejection =>
                Say($"rejected release {Release}: {rejection.Reason}"),
            { Status: MemberStatus.Silent } => "silent",
            _ => "",
        };
    }

    private static string Say(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// The condition to wait for. The callbacks run on the core thread, called by <see cref="FrontierWaits"/>, and may start and cancel waits.
/// </summary>
internal sealed record FrontierWaitRequest
{
    /// <summary>The predicate that must hold.</summary>
    public required Predicate Predicate { get; init; }

    /// <summary>The generation of the release.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release, from 1.</summary>
    public required ulong Release { get; init; }

    /// <summary>
    /// The members of the application's view in which the release committed; null for the current members. The list must not change
    /// afterward; waits with the same list share work.
    /// </summary>
    public IReadOnlyList<FrontierRow>? Members { get; init; }

    /// <summary>
    /// True when members that leave or fail keep counting, so that the wait may end as <see cref="FrontierWaitOutcome.CannotHold"/>.
    /// Default false: they are discounted.
    /// </summary>
    public bool CountLeft { get; init; }

    /// <summary>The timeout in nanoseconds; null for none.</summary>
    public long? TimeoutNs { get; init; }

    /// <summary>
    /// Called once, when the wait ends; before the start returns when the answer is known immediately. Never called after a cancel.
    /// </summary>
    public required Action<FrontierWait, FrontierWaitResult> OnEnded { get; init; }

    /// <summary>
    /// Called at the start and whenever the number of holding members or of all members changes; null when progress is not needed.
    /// </summary>
    public Action<FrontierWait, FrontierWaitProgress>? OnProgress { get; init; }
}

/// <summary>
/// How a wait ended, and the members that caused it. Lists are in order of node id, then incarnation, and hold up to <see cref="NamesMax"/>
/// members.
/// </summary>
/// <param name="Outcome">The outcome.</param>
/// <param name="Value">The predicate's value at that time.</param>
/// <param name="Holding">Members that have the release at every level the predicate reads from them.</param>
/// <param name="Total">Members that the predicate names, excluding discounted ones.</param>
/// <param name="Text">One sentence for display; empty when held.</param>
/// <param name="Members">Members that cannot reach the release, or, on a timeout, members that are behind. Members whose loss left too few
/// for a k are appended, up to <see cref="NamesMax"/> more. Empty when held.</param>
/// <param name="Discounted">Members that the predicate names but that are excluded because they left or failed.</param>
internal sealed record FrontierWaitResult(
    FrontierWaitOutcome Outcome,
    ulong Value,
    int Holding,
    int Total,
    string Text,
    IReadOnlyList<FrontierWaitMember> Members,
    IReadOnlyList<FrontierWaitMember> Discounted)
{
    /// <summary>The most members listed.</summary>
    public const int NamesMax = 500;
}

/// <summary>How a wait ended.</summary>
internal enum FrontierWaitOutcome
{
    /// <summary>The predicate held for the release.</summary>
    Held,

    /// <summary>It does not hold and, as far as is known, never will.</summary>
    CannotHold,

    /// <summary>It did not hold in time, but still could.</summary>
    TimedOut,
}

/// <summary>A member named in the answer to a wait.</summary>
/// <param name="Node">The node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it has reached: the lowest of the levels that the predicate reads from it.</param>
/// <param name="Reason">"left", "failed", "silent" or "rejected release 7: ..."; empty when it is only behind.</param>
internal sealed record FrontierWaitMember(NodeId Node, string Name, ulong Value, string Reason);

/// <summary>The progress of a wait.</summary>
/// <param name="Holding">Members that have the release at every level the predicate reads from them.</param>
/// <param name="Total">Members that the predicate names, excluding discounted ones.</param>
/// <param name="Behind">Names of up to <see cref="NamesMax"/> members that do not have it, by node id.</param>
internal sealed record FrontierWaitProgress(int Holding, int Total, IReadOnlyList<string> Behind)
{
    /// <summary>The most names listed.</summary>
    public const int NamesMax = 10;
}
