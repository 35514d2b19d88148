using System.Collections.Concurrent;
using Ripple.Client;
using Ripple.Client.Scheduling;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>Makes a release the configuration if it is valid as a whole; otherwise it never becomes visible.</content>
internal sealed partial class RippleConnection
{
    private static readonly Dictionary<OptionsKey, string> NothingSeen = [];
    private readonly SemaphoreSlim _applying = new(1, 1);
    private readonly ConcurrentDictionary<string, bool> _unread = new(StringComparer.Ordinal);
    // The state whose reload was raised last, or will be next.
    private FlatConfiguration _told = FlatConfiguration.Empty;
    private string? _application;
    private UserJudgement? _user;

    /// <summary>
    /// Validates, swaps and reloads. A release is decided when every reader has it; returns once the callbacks have ended, too, or have
    /// exceeded their time limit.
    /// </summary>
    private async ValueTask<ReleaseDecision> AcceptAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        bool isOwn = release.Application == _application;
        if (_user is { } user && await user.AskAsync(release, cancellationToken).ConfigureAwait(false) is { IsAccepted: false } refused)
        {
            if (isOwn)
            {
                WithdrawUnjudged();
            }

            return refused;
        }

        // The interest includes other applications' releases; only the process's own application is configuration.
        return isOwn ? await TakeAsync(release, cancellationToken).ConfigureAwait(false) : ReleaseDecision.Accept;
    }

    /// <summary>
    /// Applies a release of the process's own application after the user's callback has accepted it. From here on only the configuration
    /// decides.
    /// </summary>
    internal async ValueTask<ReleaseDecision> TakeAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        var run = new ApplyAttempt(release, _scheduler);
        var hold = new SemaphoreLease(Options.ValidationTimeout, _scheduler);
        OptionsValidator[]? validators = await TryEnterAsync(hold, Validators, cancellationToken).ConfigureAwait(false);
        if (validators is null)
        {
            return Reject(release, cancellationToken.IsCancellationRequested
                ? "The process stopped before it decided."
                : $"The validation or the callbacks of a release before it have not ended after "
                    + $"{Options.ValidationTimeout.TotalSeconds} s.");
        }

        // All on one thread, because the view of the candidate is bound to the thread.
        Task reloading = _scheduler.Run(
            () =>
            {
                Apply(run, validators, hold);
                return true;
            },
            CancellationToken.None);
        if (!await EndsAsync(run.Decided, hold.Left, cancellationToken).ConfigureAwait(false) && run.TryAbandon())
        {
            return Reject(release, cancellationToken.IsCancellationRequested
                ? "The process stopped before it decided."
                : $"The validation of the options took longer than {Options.ValidationTimeout.TotalSeconds} s.");
        }

        ReleaseDecision decision = await run.Decided.ConfigureAwait(false);
        if (!decision.IsAccepted)
        {
            return Reject(release, decision.Reason!);
        }

        if (!await EndsAsync(reloading, Options.ValidationTimeout, cancellationToken).ConfigureAwait(false)
            && !cancellationToken.IsCancellationRequested)
        {
            HostingLog.CallbacksSlow(_logger, Name, release.ToString(), Options.ValidationTimeout.TotalSeconds);
            // Later releases do not wait for the callback that hangs, and neither do the callbacks behind it.
            hold.Dispose();
            _ = CallRestAsync(run.Reload!);
        }

        return decision;
    }

    /// <summary>
    /// Enters the connection's semaphore, then those of the validators attached at that time. Null if this times out or is canceled;
    /// nothing is held then.
    /// </summary>
    private async Task<OptionsValidator[]?> TryEnterAsync(
        SemaphoreLease hold, Func<OptionsValidator[]> find, CancellationToken cancellationToken)
    {
        bool isEntered = false;
        try
        {
            if (!await hold.TryEnterAsync(_applying, cancellationToken).ConfigureAwait(false))
            {
                return null;
            }

            OptionsValidator[] validators = find();
            foreach (OptionsValidator validator in validators.OrderBy(v => v.Order))
            {
                if (!await hold.TryEnterAsync(validator.Semaphore, cancellationToken).ConfigureAwait(false))
                {
                    return null;
                }
            }

            isEntered = true;
            return validators;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
        finally
        {
            if (!isEntered)
            {
                hold.Dispose();
            }
        }
    }

    /// <summary>Waits for the task; returns whether it has ended in time.</summary>
    private async Task<bool> EndsAsync(Task task, TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            await task.WaitAsync(limit, _scheduler.Clock, cancellationToken).ConfigureAwait(false);
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            return task.IsCompleted;
        }
    }

    /// <summary>Counts the rejection; the client logs it.</summary>
    private ReleaseDecision Reject(RippleRelease release, string reason)
    {
        HostingMetrics.Rejected(release.Application);
        WithdrawUnjudged();
        return ReleaseDecision.Reject(reason);
    }

    /// <summary>Validates and swaps while holding the semaphores, notifies the listeners, then releases the semaphores.</summary>
    private void Apply(ApplyAttempt run, OptionsValidator[] validators, SemaphoreLease hold)
    {
        try
        {
            if (run.IsClosed)
            {
                return;
            }

            if (_sections.TryFlatten(run.Release, out IReadOnlyList<string> errors) is not { } candidate)
            {
                run.Decide(ReleaseDecision.Reject(string.Join(' ', errors)));
                return;
            }

            ValidationOutcome[] outcomes = [.. validators.Select(v => v.Validate(this, candidate))];
            string[] failures = [.. outcomes.SelectMany(o => o.Failures)];
            if (failures.Length > 0)
            {
                run.Decide(ReleaseDecision.Reject(string.Join(' ', failures)));
            }
            else if (run.TryCommit())
            {
                try
                {
                    run.Reload = Swap(candidate, validators, outcomes);
                }
                finally
                {
                    run.SetCommitted();
                }

                Tell(candidate, run.Reload, run.StartedAt);
            }
        }
        catch (Exception e)
        {
            run.Decide(ReleaseDecision.Reject($"The release could not be looked at: {e.GetType().Name}."));
        }
        finally
        {
            hold.Dispose();
        }
    }

    /// <summary>Makes the candidate what every read sees, those of cached options too.</summary>
    private Reload Swap(FlatConfiguration candidate, OptionsValidator[] validators, ValidationOutcome[] outcomes)
    {
        Volatile.Write(ref _current, candidate);
        if (Interlocked.Exchange(ref _isWithdrawn, false))
        {
            // Meanwhile options were created without a release: their earlier values are not what this one is compared with.
            Array.ForEach(validators, v => v.See(NothingSeen));
        }

        return NewReload(candidate, outcomes);
    }

    /// <summary>Calls the callbacks once; all reads already see the release.</summary>
    private void Tell(FlatConfiguration candidate, Reload reload, long startedAt)
    {
        reload.Call();
        HostingMetrics.Applied(candidate.Release!.Application, _scheduler.Clock.GetElapsedTime(startedAt));
        HostingLog.Applied(_logger, Name, candidate.Release.ToString(), candidate.Count);
        foreach (string key in _sections.FindUnread(candidate.Release).Where(key => _unread.TryAdd(key, true)))
        {
            HostingLog.Unread(_logger, Name, key);
        }
    }

    /// <summary>Calls the callbacks behind one that hangs, on another thread, and on a further one for each that hangs, too.</summary>
    private async Task CallRestAsync(Reload reload)
    {
        while (!reload.IsCalled)
        {
            Task calling = _scheduler.Run(() =>
            {
                reload.Call();
                return true;
            });
            await EndsAsync(calling, Options.ValidationTimeout, CancellationToken.None).ConfigureAwait(false);
        }
    }

    private Reload NewReload(FlatConfiguration shown, params ValidationOutcome[] outcomes)
    {
        // What a release says under other keys than those asked for is no change of the configuration.
        bool isNews = !shown.SaysSameAs(Interlocked.Exchange(ref _told, shown));
        return new Reload(outcomes, Validators(), isNews ? Providers().Select(p => new Action(p.RaiseReload)) : [], CallbackFailed);
    }

    private void CallbackFailed(Exception exception)
    {
        HostingMetrics.CallbackFailed();
        HostingLog.CallbackFailed(_logger, exception);
    }

    /// <summary>The containers whose options can see the release; none while no provider is attached.</summary>
    private OptionsValidator[] Validators()
    {
        lock (_lock)
        {
            return _providers.Count == 0 ? [] : [.. _validators];
        }
    }

    private RippleConfigurationProvider[] Providers()
    {
        lock (_lock)
        {
            return [.. _providers];
        }
    }
}

/// <summary>One release being applied to the configuration. Decided exactly once, by its own run or by the time limit.</summary>
internal sealed class ApplyAttempt(RippleRelease release, IClientScheduler scheduler)
{
    private readonly TaskCompletionSource<ReleaseDecision> _decided = new(scheduler.Completions);
    private int _isClosed;

    public RippleRelease Release { get; } = release;

    public long StartedAt { get; } = scheduler.Clock.GetTimestamp();

    /// <summary>Whether it has been decided.</summary>
    public bool IsClosed => Volatile.Read(ref _isClosed) != 0;

    public Task<ReleaseDecision> Decided => _decided.Task;

    /// <summary>What follows the swap; set before the release is accepted.</summary>
    public Reload? Reload { get; set; }

    /// <summary>
    /// Closes the attempt if it is still undecided. On true, the caller must swap the release in and call <see cref="SetCommitted"/>.
    /// </summary>
    public bool TryCommit() => TryAbandon();

    /// <summary>Accepts the release: it is in effect.</summary>
    public void SetCommitted() => _decided.SetResult(ReleaseDecision.Accept);

    /// <summary>Closes the attempt if it is still undecided. On true, the release is never swapped in.</summary>
    public bool TryAbandon() => Interlocked.Exchange(ref _isClosed, 1) == 0;

    public void Decide(ReleaseDecision decision)
    {
        if (TryAbandon())
        {
            _decided.SetResult(decision);
        }
    }
}

/// <summary>
/// Acquires several semaphores in order under one deadline, asynchronously, and releases all of them on <see cref="Dispose"/>. Used by one
/// caller at a time; may be disposed on a different thread than it was created on, and by two at once.
/// </summary>
internal sealed class SemaphoreLease(TimeSpan limit, IClientScheduler scheduler) : IDisposable
{
    private readonly long _begin = scheduler.Clock.GetTimestamp();
    private Stack<SemaphoreSlim> _held = [];

    /// <summary>The time left until the limit; never negative.</summary>
    public TimeSpan Left => limit - scheduler.Clock.GetElapsedTime(_begin) is { Ticks: > 0 } left ? left : TimeSpan.Zero;

    /// <summary>Enters a semaphore. Returns false if the limit, shared by all semaphores, passes first.</summary>
    /// <exception cref="OperationCanceledException">Canceled before the semaphore was entered.</exception>
    public async Task<bool> TryEnterAsync(SemaphoreSlim semaphore, CancellationToken cancellationToken)
    {
        bool isEntered = await scheduler.EnterAsync(semaphore, Left, cancellationToken).ConfigureAwait(false);
        if (isEntered)
        {
            _held.Push(semaphore);
        }

        return isEntered;
    }

    /// <summary>Releases all semaphores held.</summary>
    public void Dispose()
    {
        Stack<SemaphoreSlim> held = Interlocked.Exchange(ref _held, []);
        while (held.TryPop(out SemaphoreSlim? semaphore))
        {
            semaphore.Release();
        }
    }
}
