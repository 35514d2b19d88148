using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>Makes a release the configuration if it is valid as a whole; otherwise it never becomes visible.</content>
internal sealed partial class RippleConnection
{
    private static readonly Dictionary<OptionsKey, string> NothingSeen = [];
    private readonly SemaphoreSlim _applying = new(1, 1);
    private string? _application;
    private UserJudgement? _user;

    /// <summary>
    /// Validates, swaps and reloads. Returns once the callbacks have ended or exceeded their time limit, so that a release acknowledged as
    /// applied is in effect.
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
        var hold = new GateLease(Options.ValidationTimeout, _scheduler);
        OptionsValidator[]? guards = await TryEnterAsync(hold, Guards, cancellationToken).ConfigureAwait(false);
        if (guards is null)
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
                Apply(run, guards, hold);
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
        }

        return decision;
    }

    /// <summary>
    /// Enters the connection's gate, then the gates of the guards attached at that time. Null if this times out or is canceled; nothing is
    /// held then.
    /// </summary>
    private async Task<OptionsValidator[]?> TryEnterAsync(
        GateLease hold, Func<OptionsValidator[]> find, CancellationToken cancellationToken)
    {
        bool isEntered = false;
        try
        {
            if (!await hold.TryEnterAsync(_applying, cancellationToken).ConfigureAwait(false))
            {
                return null;
            }

            OptionsValidator[] guards = find();
            foreach (OptionsValidator guard in guards.OrderBy(g => g.Order))
            {
                if (!await hold.TryEnterAsync(guard.Gate, cancellationToken).ConfigureAwait(false))
                {
                    return null;
                }
            }

            isEntered = true;
            return guards;
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

    /// <summary>Validates and swaps while holding the gates, notifies the listeners, then releases the gates.</summary>
    private void Apply(ApplyAttempt run, OptionsValidator[] guards, GateLease hold)
    {
        try
        {
            if (run.IsClosed)
            {
                return;
            }

            if (_table.TrySpread(run.Release, out IReadOnlyList<string> errors) is not { } candidate)
            {
                run.Decide(ReleaseDecision.Reject(string.Join(' ', errors)));
                return;
            }

            ValidationOutcome[] verdicts = [.. guards.Select(g => g.Validate(this, candidate))];
            string[] failures = [.. verdicts.SelectMany(v => v.Failures)];
            if (failures.Length > 0)
            {
                run.Decide(ReleaseDecision.Reject(string.Join(' ', failures)));
            }
            else if (run.TryCommit())
            {
                Volatile.Write(ref _current, candidate);
                if (Interlocked.Exchange(ref _isWithdrawn, false))
                {
                    // Options were made from nothing meanwhile: what they had before is not what this release is compared with.
                    Array.ForEach(guards, g => g.See(NothingSeen));
                }

                Tell(candidate, verdicts, run.StartedAt);
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

    /// <summary>Notifies the listeners once; new reads already see the release.</summary>
    private void Tell(FlatConfiguration candidate, ValidationOutcome[] verdicts, long startedAt)
    {
        RaiseReload(verdicts);
        HostingMetrics.Applied(candidate.Release!.Application, _scheduler.Clock.GetElapsedTime(startedAt));
        HostingLog.Applied(_logger, Name, candidate.Release.ToString(), candidate.Count);
    }

    private void RaiseReload(ValidationOutcome[] verdicts)
    {
        using (ReloadScope.Enter(verdicts, CallbackFailed))
        {
            foreach (RippleConfigurationProvider provider in Providers())
            {
                try
                {
                    provider.RaiseReload();
                }
                catch (AggregateException e)
                {
                    foreach (Exception inner in e.Flatten().InnerExceptions)
                    {
                        CallbackFailed(inner);
                    }
                }
                catch (Exception e)
                {
                    CallbackFailed(e);
                }
            }
        }
    }

    private void CallbackFailed(Exception exception)
    {
        HostingMetrics.CallbackFailed();
        HostingLog.CallbackFailed(_logger, exception);
    }

    /// <summary>The containers whose options can see the release; none while no provider is attached.</summary>
    private OptionsValidator[] Guards()
    {
        lock (_lock)
        {
            return _providers.Count == 0 ? [] : [.. _guards];
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
