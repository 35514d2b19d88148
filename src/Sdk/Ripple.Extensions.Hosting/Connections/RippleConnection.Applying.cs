using System.Diagnostics;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>A release becomes the configuration, whole and valid, or is not seen.</content>
internal sealed partial class RippleConnection
{
    private readonly Lock _applying = new();
    private Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>>? _userAccepts;
    private string? _application;

    /// <summary>Validates, swaps and reloads; returns when the callbacks are through, so that "applied" is true when it is acknowledged.</summary>
    private async ValueTask<ReleaseDecision> AcceptAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        if (_userAccepts is { } ask && await ask(release, cancellationToken).ConfigureAwait(false) is { IsAccepted: false } refused)
        {
            return refused;
        }

        // Interest brings other applications' releases too; configuration is of one's own.
        if (release.Application != _application)
        {
            return ReleaseDecision.Accept;
        }

        var run = new ReleaseRun(release);
        // In one go on one thread: what it sees is bound to the thread.
        var reloading = Task.Run(() => Apply(run), CancellationToken.None);
        if (!await EndsAsync(run.Decided, cancellationToken).ConfigureAwait(false) && run.TryAbandon())
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

        if (!await EndsAsync(reloading, cancellationToken).ConfigureAwait(false) && !cancellationToken.IsCancellationRequested)
        {
            HostingLog.CallbacksSlow(_logger, Name, release.ToString(), Options.ValidationTimeout.TotalSeconds);
        }

        return decision;
    }

    /// <summary>True when it ended in time.</summary>
    private async Task<bool> EndsAsync(Task task, CancellationToken cancellationToken)
    {
        try
        {
            await task.WaitAsync(Options.ValidationTimeout, cancellationToken).ConfigureAwait(false);
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

    /// <summary>Takes a state without asking: the one restored at the start.</summary>
    private void Adopt(RippleRelease release)
    {
        lock (_applying)
        {
            if (release.Release == 0 || (Current.Release is { } current && !IsAfter(release, current)))
            {
                return;
            }

            if (_table.TrySpread(release, out IReadOnlyList<string> errors) is not { } candidate)
            {
                HostingMetrics.Rejected(release.Application);
                HostingLog.Rejected(_logger, Name, release.ToString(), string.Join(' ', errors));
                return;
            }

            Swap(candidate, [], Stopwatch.GetTimestamp());
        }
    }

    private void Apply(ReleaseRun run)
    {
        try
        {
            lock (_applying)
            {
                if (_table.TrySpread(run.Release, out IReadOnlyList<string> errors) is not { } candidate)
                {
                    run.Decide(ReleaseDecision.Reject(string.Join(' ', errors)));
                    return;
                }

                OptionsGuard[] guards = Guards();
                OptionsGuard.Enter(guards);
                try
                {
                    GuardVerdict[] verdicts = [.. guards.Select(g => g.Validate(this, candidate))];
                    string[] failures = [.. verdicts.SelectMany(v => v.Failures)];
                    if (failures.Length > 0)
                    {
                        run.Decide(ReleaseDecision.Reject(string.Join(' ', failures)));
                    }
                    else if (run.TryCommit())
                    {
                        Swap(candidate, verdicts, run.StartedAt);
                    }
                }
                finally
                {
                    OptionsGuard.Exit(guards);
                }
            }
        }
        catch (Exception e)
        {
            run.Decide(ReleaseDecision.Reject($"The release could not be looked at: {e.GetType().Name}."));
        }
    }

    /// <summary>From here on every new read sees it; then whoever listens is told, once.</summary>
    private void Swap(FlatConfiguration candidate, GuardVerdict[] verdicts, long startedAt)
    {
        Volatile.Write(ref _current, candidate);
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

    /// <summary>A container's validation looks at what is in effect for the first time: later releases are compared with that.</summary>
    public void ValidatePresent(OptionsGuard guard)
    {
        lock (_applying)
        {
            OptionsGuard.Enter([guard]);
            try
            {
                GuardVerdict verdict = guard.Validate(this, null);
                verdict.Commit();
                if (verdict.Failures.Count > 0 && Current.Release is not null)
                {
                    HostingLog.PresentInvalid(_logger, Name, string.Join(' ', verdict.Failures));
                }
            }
            finally
            {
                OptionsGuard.Exit([guard]);
            }
        }
    }

    private void CallbackFailed(Exception exception)
    {
        HostingMetrics.CallbackFailed();
        HostingLog.CallbackFailed(_logger, exception);
    }

    private static bool IsAfter(RippleRelease release, RippleRelease other) =>
        (release.Generation, release.Release).CompareTo((other.Generation, other.Release)) > 0;

    private OptionsGuard[] Guards()
    {
        lock (_lock)
        {
            return [.. _guards];
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
