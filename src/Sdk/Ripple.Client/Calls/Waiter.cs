using System.Text;
using Ripple.Client.Scheduling;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Answer = Ripple.Engine.Protocol.Calls.WaitResult;

namespace Ripple.Client.Calls;

/// <summary>
/// Waits on predicates. If the connection is lost, the wait is sent again with the remaining time, for the same release. If the caller gave
/// no generation, it is the one that the first host to accept the wait reported.
/// </summary>
internal sealed class Waiter(HostCalls calls, IClientScheduler scheduler)
{
    private const int PredicateBytesMax = 4_096;
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(5);

    /// <summary>Waits until the predicate holds for the release, can no longer hold, or the timeout passes.</summary>
    public async Task<WaitResult> WaitAsync(
        string application,
        uint generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress,
        CancellationToken cancellationToken)
    {
        CheckPredicate(predicate);
        if (timeout < TimeSpan.Zero || timeout.TotalMilliseconds > int.MaxValue)
        {
            throw new RippleException(ErrorCode.InvalidRequest, $"The timeout of a wait is {timeout}. Give zero to 24 days.");
        }

        var relay = new ProgressRelay(progress, scheduler);
        // Once the wait has begun, only the core thread reads and writes it.
        uint bound = generation;
        long startedAt = scheduler.Clock.GetTimestamp();
        CallAttempt<Answer> NewAttempt() => new(
            calls.Completions,
            (link, call) =>
            {
                TimeSpan left = timeout - scheduler.Clock.GetElapsedTime(startedAt);
                // On the wire 0 means no timeout, so a caller that gives no time sends 1 ms: it asks whether the predicate holds now.
                uint leftMs = (uint)Math.Max(1, Math.Ceiling(left.TotalMilliseconds));
                return link.TrySend(new Wait(call, application, bound, release, predicate, leftMs, false));
            },
            answer =>
            {
                if (answer is Engine.Protocol.Calls.WaitProgress step)
                {
                    bound = step.Generation;
                    relay.Post(new WaitProgress((int)step.Holding, (int)step.Total));
                }

                return answer as Answer;
            });
        try
        {
            // The host ends the wait at its timeout; the grace period lets its answer arrive.
            string what = $"a wait on '{application}'";
            Answer answer =
                await calls.AskAsync(what, NewAttempt, a => a.Code, timeout + Grace, isWait: true, cancellationToken).ConfigureAwait(false);
            HostCalls.ThrowIfRefused(answer.Code, answer.Text);
            return new WaitResult
            {
                Outcome = (WaitOutcome)answer.Outcome,
                Generation = answer.Generation,
                Total = (int)answer.Total,
                Members = [.. answer.Members.Select(Member)],
                Discounted = [.. answer.Discounted.Select(Member)],
                Text = answer.Text,
            };
        }
        catch (RippleTimeoutException e)
        {
            return new WaitResult { Outcome = WaitOutcome.TimedOut, Text = e.Message };
        }
    }

    /// <summary>Checks what a host would not take at all; what it means is judged there.</summary>
    /// <exception cref="RippleException">It is empty or too long.</exception>
    public static void CheckPredicate(string predicate)
    {
        if (string.IsNullOrWhiteSpace(predicate) || Encoding.UTF8.GetByteCount(predicate) > PredicateBytesMax)
        {
            throw new RippleException(
                ErrorCode.InvalidPredicate,
                $"The predicate is empty or has more than {PredicateBytesMax} bytes. "
                + "MIN($ALL.applied) waits until a release is in effect everywhere.");
        }
    }

    private static WaitMember Member(Engine.Protocol.Calls.WaitMember member) => new(member.Name, member.Node, member.Value, member.Reason);
}

/// <summary>
/// Reports progress from the core to a caller's <see cref="IProgress{T}"/> on the thread pool, in order. Only the newest pending value is
/// reported.
/// </summary>
internal sealed class ProgressRelay(IProgress<WaitProgress>? progress, IClientScheduler scheduler) : IThreadPoolWorkItem
{
    private WaitProgress? _newest;
    private int _isRunning;

    /// <summary>Queues the value for reporting. Core thread.</summary>
    public void Post(WaitProgress value)
    {
        if (progress is null)
        {
            return;
        }

        Volatile.Write(ref _newest, value);
        Start();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    private void Start()
    {
        if (Interlocked.CompareExchange(ref _isRunning, 1, 0) == 0)
        {
            scheduler.Queue(this);
        }
    }

    private void Run()
    {
        while (Interlocked.Exchange(ref _newest, null) is { } value)
        {
            progress!.Report(value);
        }

        Volatile.Write(ref _isRunning, 0);
        if (Volatile.Read(ref _newest) is not null)
        {
            Start();
        }
    }
}
