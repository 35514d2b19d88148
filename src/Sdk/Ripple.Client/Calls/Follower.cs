using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Client.Calls;

/// <summary>
/// Monitors of predicates. If the connection is lost, the host of the next one is asked again, and what it says of the past is left out.
/// </summary>
internal sealed class Follower(HostCalls calls, IClientScheduler scheduler)
{
    /// <summary>How long one asking lasts; then it is asked again, and nobody notices.</summary>
    private static readonly TimeSpan AskedFor = TimeSpan.FromDays(1);

    /// <summary>The points of a predicate, until one of the tokens is canceled.</summary>
    /// <exception cref="RippleException">The host refused, or the name was removed.</exception>
    /// <exception cref="ObjectDisposedException">The client is being disposed of.</exception>
    public async IAsyncEnumerable<FrontierPoint> FollowAsync(
        string application,
        string predicate,
        CancellationToken stopping,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        Waiter.CheckPredicate(predicate);
        var newest = new NewestPoint(scheduler);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping);
        Task asking = AskAsync(application, predicate, newest, ending.Token);
        try
        {
            FrontierPoint? last = null;
            while (await NextAsync(newest, stopping, ending.Token, cancellationToken).ConfigureAwait(false) is { } point)
            {
                if (last is null || point.IsNewsAfter(last))
                {
                    yield return last = point;
                }
            }
        }
        finally
        {
            await scheduler.CancelAsync(ending).ConfigureAwait(false);
            await asking.ConfigureAwait(false);
        }
    }

    private static async Task<FrontierPoint?> NextAsync(
        NewestPoint newest, CancellationToken stopping, CancellationToken ending, CancellationToken cancellationToken)
    {
        try
        {
            return await newest.TakeAsync(ending).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && stopping.IsCancellationRequested)
        {
            throw new ObjectDisposedException(nameof(RippleClient), "The client was disposed of while it followed a predicate.");
        }
        catch (OperationCanceledException)
        {
            throw new OperationCanceledException(cancellationToken);
        }
    }

    /// <summary>Asks until it is refused or ended, and says why it ended. Does not throw.</summary>
    private async Task AskAsync(string application, string predicate, NewestPoint newest, CancellationToken ending)
    {
        CallAttempt<MonitorPoint> NewAttempt() => new(
            calls.Completions,
            (link, call) => link.TrySend(new Monitor(call, application, predicate)),
            answer =>
            {
                var point = (MonitorPoint)answer;
                if (point.Code != ErrorCode.None)
                {
                    return point;
                }

                newest.Put(new FrontierPoint(
                    point.Generation, point.Version, point.Release, point.Text.Length == 0 ? null : point.Text));
                return null;
            });
        try
        {
            while (true)
            {
                try
                {
                    MonitorPoint end = await calls.AskAsync(
                        $"a monitor of '{application}'", NewAttempt, p => p.Code, AskedFor, isWait: true, ending).ConfigureAwait(false);
                    if (end.Code != ErrorCode.Busy)
                    {
                        newest.End(new RippleException(end.Code, end.Text));
                        return;
                    }
                }
                catch (RippleTimeoutException)
                {
                    // It lasted, or no host could be reached for as long: it is asked again.
                }
            }
        }
        catch (OperationCanceledException)
        {
            newest.End(null);
        }
        catch (RippleException e)
        {
            newest.End(e);
        }
    }

    /// <summary>The newest point that was not taken, and the end. Thread-safe; one taker at a time.</summary>
    private sealed class NewestPoint(IClientScheduler scheduler)
    {
        private readonly Lock _lock = new();
        private TaskCompletionSource _changed = new(scheduler.Completions);
        private FrontierPoint? _point;
        private Exception? _error;
        private bool _isEnded;

        /// <summary>Puts a point in the place of one that was not taken.</summary>
        public void Put(FrontierPoint point) => Change(() => _point = point);

        /// <summary>Ends it; with an error, that is thrown when what is there was taken.</summary>
        public void End(Exception? error) => Change(() => (_isEnded, _error) = (true, error));

        /// <summary>The next point; null at the end.</summary>
        public async Task<FrontierPoint?> TakeAsync(CancellationToken cancellationToken)
        {
            while (true)
            {
                Task changed;
                lock (_lock)
                {
                    if (_point is { } point)
                    {
                        _point = null;
                        return point;
                    }

                    if (_isEnded)
                    {
                        return _error is null ? null : throw _error;
                    }

                    changed = _changed.Task;
                }

                await changed.WaitAsync(cancellationToken).ConfigureAwait(false);
                await scheduler.ResumeAsync().ConfigureAwait(false);
            }
        }

        private void Change(Action change)
        {
            TaskCompletionSource changed;
            lock (_lock)
            {
                change();
                changed = _changed;
                _changed = new TaskCompletionSource(scheduler.Completions);
            }

            changed.TrySetResult();
        }
    }
}
