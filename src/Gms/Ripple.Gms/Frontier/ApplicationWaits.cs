using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The waits asked of one application's primary. Binding one costs as much as several looks at it, so those that are asked for stand in a
/// queue of which each look takes some. Core thread.
/// </summary>
/// <param name="core">The host's core.</param>
/// <param name="primary">The application.</param>
/// <param name="frontier">Its frontier.</param>
/// <param name="ledger">What all waits of the host cost.</param>
/// <param name="releaseMembers">The members that each release is waited for.</param>
/// <param name="demand">Asks every member to report a release directly instead of through the ring.</param>
internal sealed class ApplicationWaits(
    CoreLoop core,
    ApplicationPrimary primary,
    ApplicationFrontier frontier,
    WaitLedger ledger,
    ReleaseMembers releaseMembers,
    Action<ulong> demand)
{
    private readonly LinkedList<HostedWait> _asked = [];

    /// <summary>Waits in progress, those included that are to be bound.</summary>
    public int Count => _asked.Count + frontier.Waits.Count;

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
        FrontierTable table = frontier.Table;
        long beganAt = table.ValuesRead;
        bool isDone = frontier.Look(_asked.Count > 0 ? valuesMax / 2 : valuesMax);
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
            frontier.Waits.Cancel(running);
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

        frontier.Close();
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
        if (WhyUnknown(wait) is { } unknown)
        {
            refusal = unknown;
        }
        else if (Count >= FrontierWaits.WaitsMax)
        {
            refusal = new Refusal(
                ErrorCode.Busy, Text($"{FrontierWaits.WaitsMax} waits on '{primary.Name}' are under way. Try again when some have ended."));
        }
        else if (!PredicateParser.TryParse(wait.Predicate, out predicate, out PredicateError? error))
        {
            refusal = new Refusal(ErrorCode.InvalidPredicate, $"The predicate is not one. {error}");
        }
        else
        {
            // No member counts for a generation that ended: the wait is answered as soon as it is its turn.
            members = IsOfEndedGeneration(GenerationOf(wait)) ? [] : releaseMembers.At(wait.Release);
            refusal = members is null ? Forgotten(wait.Release) : null;
        }

        return refusal is null && members is not null;
    }

    private uint GenerationOf(Wait wait) => wait.Generation == 0 ? frontier.Table.Generation : wait.Generation;

    private bool IsOfEndedGeneration(uint generation) => generation < frontier.Table.Generation;

    /// <summary>
    /// Why nothing can be said of the release; null if something can. Who names its generation was told of it, and this host may still
    /// learn of it, or that its generation ended: it was restored a moment ago. Such a wait is to be asked again.
    /// </summary>
    private Refusal? WhyUnknown(Wait wait)
    {
        (uint generation, ulong newest) = (frontier.Table.Generation, primary.Committed.Release);
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
            End(asked, WaitAnswers.Ended(wait.Call, generation, frontier.Table));
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
        if (!frontier.Waits.TryStart(request, out FrontierWait? started, out PredicateError? error))
        {
            End(asked, WaitAnswers.Refused(wait.Call, new Refusal(ErrorCode.InvalidPredicate, $"The wait cannot begin. {error}")));
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
