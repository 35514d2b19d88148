using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>The first judgement of a container: of what this process started from, and then of what came meanwhile.</content>
internal sealed partial class RippleConnection
{
    private readonly bool _isJudged;
    // After ConfigureClient, which has the last word.
    private StartupMode _startupMode;
    private TimeSpan _connectTimeout;
    private OptionsValidator? _first;
    private Task<Task>? _begin;

    /// <summary>
    /// Has a container judge what is shown, which later releases are compared with, and, in the container that came first, what came while
    /// there were no validators. Waits at most the validation timeout for each, and not for the second in the background; a longer
    /// validation continues and is logged. When it returns, nothing is shown that was not decided.
    /// </summary>
    /// <exception cref="RippleException">This process has accepted no release, rejects the newest, and may not start without
    /// one.</exception>
    /// <exception cref="OperationCanceledException">The start was canceled.</exception>
    public async Task JudgeAsync(OptionsValidator guard, CancellationToken cancellationToken)
    {
        if (!_isJudged)
        {
            await LookAtPresentAsync(guard, cancellationToken).ConfigureAwait(false);
            return;
        }

        Task settled = await BeginAsync(guard).WaitAsync(cancellationToken).ConfigureAwait(false);
        await _scheduler.ResumeAsync().ConfigureAwait(false);
        if (_first != guard)
        {
            await LookAtPresentAsync(guard, cancellationToken).ConfigureAwait(false);
        }

        if (_startupMode != StartupMode.Background)
        {
            if (!await EndsAsync(settled, Options.ValidationTimeout * 2, cancellationToken).ConfigureAwait(false)
                && Client is { IsSearching: true })
            {
                // The newest is rejected: up to nine before it are fetched and looked at.
                await EndsAsync(settled, _connectTimeout, cancellationToken).ConfigureAwait(false);
            }

            cancellationToken.ThrowIfCancellationRequested();
        }

        // Services run from here on, and see what was decided: a release that still waits for its decision is shown when it has it.
        WithdrawUnjudged();
        if (_startupMode != StartupMode.Background && !Options.Optional && Client?.WhyNothingIsInEffect() is { } why)
        {
            HostingLog.StartFailed(_logger, Name, why);
            throw new RippleException(why);
        }
    }

    /// <summary>
    /// Judges what is shown, then has releases decided; once, by the first container. The inner task ends when nothing is left to decide.
    /// </summary>
    private Task<Task> BeginAsync(OptionsValidator guard)
    {
        lock (_lock)
        {
            _first ??= guard;
            return _begin ??= _scheduler.Run(() => BeginCoreAsync(_first)).Unwrap();
        }
    }

    private async Task<Task> BeginCoreAsync(OptionsValidator guard)
    {
        try
        {
            await StartAsync().ConfigureAwait(false);
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            if (Client is not { } client)
            {
                return Task.CompletedTask;
            }

            await LookAtPresentAsync(guard, CancellationToken.None).ConfigureAwait(false);
            return await client.BeginDecidingAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is RippleException or InvalidOperationException or OperationCanceledException)
        {
            // It could not be started, which who starts it is told, or it ends.
            return Task.CompletedTask;
        }
    }

    private async Task LookAtPresentAsync(OptionsValidator guard, CancellationToken cancellationToken)
    {
        var hold = new GateLease(Options.ValidationTimeout, _scheduler);
        if (await TryEnterAsync(hold, () => [guard], cancellationToken).ConfigureAwait(false) is not null
            && await EndsAsync(Look(), hold.Left, cancellationToken).ConfigureAwait(false))
        {
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        HostingLog.PresentNotValidated(_logger, Name, Options.ValidationTimeout.TotalSeconds);

        Task Look() => _scheduler.Run(() => LookAtPresentCoreAsync(guard, hold), CancellationToken.None).Unwrap();
    }

    private async Task LookAtPresentCoreAsync(OptionsValidator guard, GateLease hold)
    {
        FlatConfiguration shown;
        string? reason;
        try
        {
            shown = Current;
            reason = Judge(guard) ?? _malformed;
        }
        finally
        {
            hold.Dispose();
        }

        if (reason is not null && !ReferenceEquals(shown, _unjudged))
        {
            HostingLog.PresentInvalid(_logger, Name, reason);
        }

        if (!_isJudged || guard != _first || Client is not { } client)
        {
            return;
        }

        // Where this process has accepted nothing, what is shown was never in effect: whether it comes is decided as for every release.
        if (client.Current().Release > 0)
        {
            await client.JudgeRestoredAsync(reason, CancellationToken.None).ConfigureAwait(false);
        }

        if (reason is not null)
        {
            Withdraw(shown);
        }
    }

    /// <summary>Makes the options of a container from what is shown; null if they are valid, or nothing shows them a release.</summary>
    private string? Judge(OptionsValidator guard)
    {
        // Without an attached provider, no options can see the state.
        if (Providers().Length == 0)
        {
            return null;
        }

        ValidationOutcome verdict = guard.Validate(this, null);
        verdict.Commit();
        return verdict.Failures.Count > 0 && Current.Release is not null ? string.Join(' ', verdict.Failures) : null;
    }
}
