using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Frontier.Predicates;
using Ripple.Gms.Frontier.Waits;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The waits asked of one application's primary. Binding one costs as much as several looks at it, so those that are asked for stand in a
/// queue of which each look takes some. Core thread.
/// </summary>
/// <param name="core">The host's core.</param>
/// <param name="primary">The application.</param>
/// <param name="table">The progress of its members.</param>
/// <param name="waits">The waits that were begun.</param>
/// <param name="ledger">What all waits of the host cost.</param>
/// <param name="releaseMembers">The members that each release is waited for.</param>
/// <param name="demand">Asks every member to report a release directly instead of through the ring.</param>
internal sealed class ApplicationWaits(
    CoreLoop core,
    ApplicationPrimary primary,
    FrontierTable table,
    FrontierWaits waits,
    WaitLedger ledger,
    ReleaseMembers releaseMembers,
    Action<ulong> demand)
{
    private readonly LinkedList<HostedWait> _asked = [];

    /// <summary>Waits in progress, those included that are to be bound.</summary>
    public int Count => _asked.Count + waits.Count;

    /// <summary>Takes a wait; null with the refusal if it makes no sense, or is too much. It begins with one of the next looks.</summary>
    public HostedWait? Ask(
        ShareOwner owner, WaitShare share, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal)
    {
        if (!TryRead(wait, out Predicate? predicate, out IReadOnlyList<FrontierRow>? members, out refusal)
            || ledger.TryTake(owner, share, predicate.CostMax(members.Count), out refusal) is not { } lease)
        {
            return null;
        }

        var asked = new HostedWait(this, wait, predicate, members)
        {
            Generation = GenerationOf(wait),
            Lease = lease,
            OnProgress = onProgress,
            OnEnded = onEnded,
            DeadlineNs = wait.TimeoutMs == 0 ? null : core.NowNs + (wait.TimeoutMs * 1_000_000L),
        };
        asked.Place = _asked.AddLast(asked);
        return asked;
    }

    /// <summary>
    /// Looks at waits in progress and binds some that were asked for, at least one of each, until about so many values of rows were read;
    /// returns whether nothing is left to do.
    /// </summary>
    public bool Look(long valuesMax)
    {
        long beganAt = table.ValuesRead;
        bool isDone = waits.Evaluate(_asked.Count > 0 ? valuesMax / 2 : valuesMax);
        bool isFirst = true;
        while (_asked.First is { } next && (isFirst || table.ValuesRead - beganAt < valuesMax))
        {
            isFirst = false;
            Start(next.Value);
        }

        return isDone && _asked.Count == 0;
    }

    /// <summary>Ends a wait without an answer; does nothing when it has ended.</summary>
    public void Cancel(HostedWait wait)
    {
        TakeOut(wait);
        if (wait.Running is { } running)
        {
            waits.Cancel(running);
        }

        wait.End();
    }

    /// <summary>Ends all waits without an answer.</summary>
    public void Close()
    {
        while (_asked.First is { } next)
        {
            Cancel(next.Value);
        }

        waits.Close();
    }

    private bool TryRead(
        Wait wait,
        [NotNullWhen(true)] out Predicate? predicate,
        [NotNullWhen(true)] out IReadOnlyList<FrontierRow>? members,
        out Refusal? refusal)
    {
        predicate = null;
        members = null;
        refusal = null;
        // The predicate first: whether it is one can be asked before there is a release to wait for.
        if (!PredicateParser.TryParse(wait.Predicate, out predicate, out PredicateError? error))
        {
            refusal = new Refusal(ErrorCode.InvalidPredicate, $"The predicate is not one. {error}");
        }
        else if (WhyUnknown(wait) is { } unknown)
        {
            refusal = unknown;
        }
        else if (Count >= FrontierWaits.WaitsMax)
        {
            refusal = new Refusal(
                ErrorCode.Busy, Text($"{FrontierWaits.WaitsMax} waits on '{primary.Name}' are under way. Try again when some have ended."));
        }
        else
        {
            // No member counts for a generation that ended: the wait is answered as soon as it is its turn.
            members = IsOfEndedGeneration(GenerationOf(wait)) ? [] : releaseMembers.At(wait.Release);
            refusal = members is null ? Forgotten(wait.Release) : null;
        }

        return refusal is null && members is not null;
    }

    private uint GenerationOf(Wait wait) => wait.Generation == 0 ? table.Generation : wait.Generation;

    private bool IsOfEndedGeneration(uint generation) => generation < table.Generation;

    /// <summary>
    /// Why nothing can be said of the release; null if something can. Who names its generation was told of it, and this host may still
    /// learn of it, or that its generation ended: it was restored a moment ago. Such a wait is to be asked again.
    /// </summary>
    private Refusal? WhyUnknown(Wait wait)
    {
        (uint generation, ulong newest) = (table.Generation, primary.Committed.Release);
        bool isCommitted = wait.Release != 0 && wait.Release <= newest && GenerationOf(wait) == generation;
        return (isCommitted, isEnded: IsOfEndedGeneration(GenerationOf(wait)), wait) switch
        {
            (isCommitted: true, _, _) or (_, isEnded: true, _) => null,
            (_, _, { Generation: 0 } or { Release: 0 }) => new Refusal(
                ErrorCode.NotFound,
                Text($"Release {wait.Release} of '{primary.Name}' is not committed; the newest is {newest}. ")
                    + "Wait for a committed release."),
            _ => new Refusal(
                ErrorCode.Busy,
                Text($"Release {wait.Generation}/{wait.Release} of '{primary.Name}' is not known here yet; ")
                    + Text($"the newest is {generation}/{newest}. Ask again, or look at its history.")),
        };
    }

    private Refusal Forgotten(ulong release) => new(
        ErrorCode.NotFound,
        Text($"Who was to have release {release} of '{primary.Name}' is kept no more: ")
            + Text($"it is of releases from {releaseMembers.KnownFrom} on. Wait for a newer release, or ask for the status."));

    private void Start(HostedWait asked)
    {
        TakeOut(asked);
        Wait wait = asked.Asked;
        uint generation = asked.Generation;
        if (IsOfEndedGeneration(generation))
        {
            End(asked, WaitAnswers.Ended(wait.Call, generation, table));
            return;
        }

        var request = new FrontierWaitRequest
        {
            Predicate = asked.Predicate,
            Generation = generation,
            Release = wait.Release,
            Members = asked.Members,
            CountLeft = wait.CountLeft,
            TimeoutNs = asked.DeadlineNs - core.NowNs,
            OnEnded = (_, result) => End(asked, WaitAnswers.Of(wait.Call, generation, result)),
            OnProgress = (_, progress) =>
                asked.OnProgress(new WaitProgress(wait.Call, (uint)progress.Holding, (uint)progress.Total, generation)),
        };
        if (!waits.TryStart(request, out FrontierWait? started, out PredicateError? error))
        {
            End(asked, WaitAnswers.Refused(wait.Call, new Refusal(
                ErrorCode.InvalidPredicate,
                $"The wait cannot begin. {error} "
                    + Text($"A wait counts who was a member when its release was committed, and those were {asked.Members.Count}: ")
                    + "who joined later has the newest from the start, and is told by the status.")));
            return;
        }

        if (started.IsEnded)
        {
            return;
        }

        asked.Running = started;
        asked.Lease.Change(started.Bound.Cost);
        if (asked.Predicate.NeedsDirect)
        {
            demand(wait.Release);
        }
    }

    private void TakeOut(HostedWait wait)
    {
        if (wait.Place is { } place)
        {
            _asked.Remove(place);
            wait.Place = null;
        }
    }

    private static void End(HostedWait asked, WaitResult result)
    {
        asked.End();
        asked.OnEnded(result);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>
/// A wait that somebody asked this host for: first it is to be bound, then it runs. Disposing of it ends it without an answer.
/// </summary>
internal sealed class HostedWait(ApplicationWaits owner, Wait asked, Predicate predicate, IReadOnlyList<FrontierRow> members) : IDisposable
{
    /// <summary>What was asked.</summary>
    public Wait Asked => asked;

    /// <summary>The generation of the release that is waited for: as asked, or the one that was the present one then.</summary>
    public required uint Generation { get; init; }

    /// <summary>The predicate.</summary>
    public Predicate Predicate => predicate;

    /// <summary>The members it is bound to.</summary>
    public IReadOnlyList<FrontierRow> Members => members;

    /// <summary>What it costs.</summary>
    public required WaitLedger.Lease Lease { get; init; }

    /// <summary>Called with its progress.</summary>
    public required Action<WaitProgress> OnProgress { get; init; }

    /// <summary>Called with its answer.</summary>
    public required Action<WaitResult> OnEnded { get; init; }

    /// <summary>When it times out, in the core's nanoseconds; null for never. It counts from the asking.</summary>
    public required long? DeadlineNs { get; init; }

    /// <summary>Its place among those that are to be bound; null from then on.</summary>
    public LinkedListNode<HostedWait>? Place { get; set; }

    /// <summary>The wait that runs; null before.</summary>
    public FrontierWait? Running { get; set; }

    /// <summary>True once it was answered or disposed of.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Gives back what it holds; does nothing the second time.</summary>
    public void End()
    {
        IsEnded = true;
        Lease.Dispose();
    }

    /// <inheritdoc/>
    public void Dispose() => owner.Cancel(this);
}

/// <summary>How the end of a wait is told.</summary>
internal static class WaitAnswers
{
    /// <summary>The size limit of each of an answer's two member lists, so that both and the text fit one control frame.</summary>
    private const int NamedBytesMax = 60_000;

    /// <summary>The answer to a wait that ended.</summary>
    public static WaitResult Of(uint call, uint generation, FrontierWaitResult result) => new(
        call,
        ErrorCode.None,
        result.Text,
        (byte)result.Outcome,
        (uint)result.Total,
        [.. Fitting(result.Members)],
        [.. Fitting(result.Discounted)],
        generation);

    /// <summary>The answer to a wait for a release of a generation that ended: no member gets there any more.</summary>
    public static WaitResult Ended(uint call, uint generation, FrontierTable table) => new(
        call,
        ErrorCode.None,
        FrontierWait.OfEndedGeneration(generation, table),
        (byte)FrontierWaitOutcome.CannotHold,
        0,
        [],
        [],
        generation);

    /// <summary>The answer to a wait that did not begin.</summary>
    public static WaitResult Refused(uint call, Refusal refusal) => new(call, refusal.Code, refusal.Text, 0, 0, [], []);

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

            yield return new WaitMember(member.Node, member.Name, member.Value, member.Reason);
        }
    }
}
