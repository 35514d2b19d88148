using System.Diagnostics;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>A release becomes the configuration, whole and valid, or is not seen.</content>
internal sealed partial class RippleConnection
{
    private readonly SemaphoreSlim _applying = new(1, 1);
    private string? _application;

    /// <summary>
    /// Validates, swaps and reloads; returns when the callbacks are through, so that "applied" is true when it is acknowledged.
    /// </summary>
    private async ValueTask<ReleaseDecision> AcceptAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        if (await AskUserAsync(release, cancellationToken).ConfigureAwait(false) is { IsAccepted: false } refused)
        {
            return refused;
        }

        // Interest brings other applications' releases too; configuration is of one's own.
        return release.Application == _application
            ? await TakeAsync(release, cancellationToken).ConfigureAwait(false)
            : ReleaseDecision.Accept;
    }

    /// <summary>
    /// Takes a release of one's own application that the user has let pass: from here on nothing but configuration is asked.
    /// </summary>
    internal async ValueTask<ReleaseDecision> TakeAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        var run = new ApplyAttempt(release);
        var hold = new GateLease(Options.ValidationTimeout);
        OptionsValidator[]? guards = await TryEnterAsync(hold, Guards, cancellationToken).ConfigureAwait(false);
        if (guards is null)
        {
            return Reject(release, cancellationToken.IsCancellationRequested
                ? "The process stopped before it decided."
                : $"The validation or the callbacks of a release before it have not ended after "
                    + $"{Options.ValidationTimeout.TotalSeconds} s.");
        }

        // In one go on one thread: what it sees is bound to the thread.
        var reloading = Task.Run(() => Apply(run, guards, hold), CancellationToken.None);
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
    /// The connection's gate, then those of the guards there are then. Null when it took too long or was cancelled; then nothing is held.
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

    /// <summary>True when it ended in time.</summary>
    private static async Task<bool> EndsAsync(Task task, TimeSpan limit, CancellationToken cancellationToken)
    {
        try
        {
            await task.WaitAsync(limit, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            return task.IsCompleted;
        }
    }

    /// <summary>Counts it; the client logs it.</summary>
    private static ReleaseDecision Reject(RippleRelease release, string reason)
    {
        HostingMetrics.Rejected(release.Application);
        return ReleaseDecision.Reject(reason);
    }

    /// <summary>Validates and swaps, in the gates, and leaves them.</summary>
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

    /// <summary>Every new read sees it already; whoever listens is told, once.</summary>
    private void Tell(FlatConfiguration candidate, ValidationOutcome[] verdicts, long startedAt)
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

        HostingMetrics.Applied(candidate.Release!.Application, Stopwatch.GetElapsedTime(startedAt));
        HostingLog.Applied(_logger, Name, candidate.Release.ToString(), candidate.Count);
    }

    private void CallbackFailed(Exception exception)
    {
        HostingMetrics.CallbackFailed();
        HostingLog.CallbackFailed(_logger, exception);
    }

    /// <summary>Whose options can see it: none, while no configuration shows it.</summary>
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
