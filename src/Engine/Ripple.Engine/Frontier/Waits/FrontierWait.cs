using System.Globalization;
using Ripple.Engine.Frontier.Predicates;

namespace Ripple.Engine.Frontier.Waits;

/// <summary>One wait for a predicate to hold for one release. Created by <see cref="FrontierWaits"/>. Belongs to the core thread.</summary>
internal sealed class FrontierWait
{
    /// <summary>What a check costs at least, in values of rows.</summary>
    private const int UpdateCost = 16;

    private readonly FrontierTable _table;
    private readonly FrontierWaitRequest _request;
    private readonly BoundPredicate _bound;
    private long _seenVersion = -1;
    private long _obstacleVersion = -1;
    private int _holding = -1;
    private int _total = -1;

    internal FrontierWait(FrontierTable table, FrontierWaitRequest request, BoundPredicate bound, long deadlineNs)
    {
        _table = table;
        _request = request;
        _bound = bound;
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
    public bool IsEnded { get; internal set; }

    /// <summary>Why no release of an ended generation is waited for.</summary>
    public static string OfEndedGeneration(uint generation, FrontierTable table)
    {
        ArgumentNullException.ThrowIfNull(table);
        return Say($"Generation {generation} of {table.Application} ended; the application is in generation {table.Generation}.");
    }

    /// <summary>Whether the table changed since the wait was last checked, or its time is up.</summary>
    internal bool IsDue(long nowNs) => !IsEnded && (_seenVersion != _table.Version || DeadlineNs <= nowNs);

    /// <summary>Checks the table: ends the wait, reports progress, or does neither.</summary>
    internal void Update(long nowNs)
    {
        _seenVersion = _table.Version;
        _table.ValuesRead += UpdateCost;
        if (Judge(nowNs) is { } result)
        {
            IsEnded = true;
            _request.OnEnded(this, result);
        }
        else if (_request.OnProgress is not null)
        {
            ReportProgress(_request.OnProgress);
        }
    }

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
        ulong value = _table.Generation == Generation ? _bound.Evaluate() : 0;
        if (value >= Release)
        {
            return End(FrontierWaitOutcome.Held, value, "", []);
        }

        if (_obstacleVersion != _table.ObstacleVersion)
        {
            if (_bound.EvaluateUpperBound(Release) < Release)
            {
                return EndCannotHold(value);
            }

            _obstacleVersion = _table.ObstacleVersion;
        }

        if (nowNs < DeadlineNs)
        {
            return null;
        }

        List<FrontierWaitMember> behind = List(member => _bound.IsCounted(member) && ValueOf(member) < Release);
        string text = Say($"Not in time: the predicate is at release {value}, and {Count(IsBehind)} of {Count(_bound.IsCounted)} members are behind release {Release}.");
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
