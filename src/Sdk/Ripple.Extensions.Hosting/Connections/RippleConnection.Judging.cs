using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>A container's first validation: of the state this process started from, and then of the releases that came meanwhile.</content>
internal sealed partial class RippleConnection
{
    private readonly bool _isJudged;
    // After ConfigureClient, which has the last word.
    private StartupMode _startupMode;
    private TimeSpan _connectTimeout;
    private OptionsValidator? _first;
    private Task<Task>? _begin;

    /// <summary>
    /// Has a container validate the state shown, which later releases are compared with, and, if it is the first container, the releases
    /// that came before there were validators. Waits at most the validation timeout for each, and in the background mode not for the
    /// second; a longer validation continues and is logged. When it returns, nothing undecided is shown.
    /// </summary>
    /// <exception cref="RippleException">This process has accepted no release, rejects the newest, and may not start without
    /// one.</exception>
    /// <exception cref="OperationCanceledException">The start was canceled.</exception>
    public async Task JudgeAsync(OptionsValidator validator, CancellationToken cancellationToken)
    {
        if (!_isJudged)
        {
            await LookAtPresentAsync(validator, cancellationToken).ConfigureAwait(false);
            return;
        }

        Task settled = await BeginAsync(validator).WaitAsync(cancellationToken).ConfigureAwait(false);
        await _scheduler.ResumeAsync().ConfigureAwait(false);
        if (_first != validator)
        {
            await LookAtPresentAsync(validator, cancellationToken).ConfigureAwait(false);
        }

        if (_startupMode != StartupMode.Background)
        {
            if (!await EndsAsync(settled, Options.ValidationTimeout * 2, cancellationToken).ConfigureAwait(false)
                && Client is { IsSearching: true })
            {
                // The newest is rejected: up to nine earlier ones are fetched and examined.
                await EndsAsync(settled, _connectTimeout, cancellationToken).ConfigureAwait(false);
            }

            cancellationToken.ThrowIfCancellationRequested();
        }

        // Services run from here on and see only decided releases: one that still waits is shown after its decision.
        WithdrawUnjudged();
        if (_startupMode != StartupMode.Background && !Options.Optional && Client?.WhyNothingIsInEffect() is { } why)
        {
            HostingLog.StartFailed(_logger, Name, why);
            throw new RippleException(why);
        }
    }

    /// <summary>
    /// Validates the state shown, then begins deciding releases; once, by the first container. The inner task ends when none is undecided.
    /// </summary>
    private Task<Task> BeginAsync(OptionsValidator validator)
    {
        lock (_lock)
        {
            _first ??= validator;
            return _begin ??= _scheduler.Run(() => BeginCoreAsync(_first)).Unwrap();
        }
    }

    private async Task<Task> BeginCoreAsync(OptionsValidator validator)
    {
        try
        {
            await StartAsync().ConfigureAwait(false);
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            if (Client is not { } client)
            {
                return Task.CompletedTask;
            }

            await LookAtPresentAsync(validator, CancellationToken.None).ConfigureAwait(false);
            return await client.BeginDecidingAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is RippleException or InvalidOperationException or OperationCanceledException)
        {
            // The start failed, which is reported to its caller, or the connection is ending.
            return Task.CompletedTask;
        }
    }

    private async Task LookAtPresentAsync(OptionsValidator validator, CancellationToken cancellationToken)
    {
        var hold = new SemaphoreLease(Options.ValidationTimeout, _scheduler);
        if (await TryEnterAsync(hold, () => [validator], cancellationToken).ConfigureAwait(false) is not null
            && await EndsAsync(Look(), hold.Left, cancellationToken).ConfigureAwait(false))
        {
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        HostingLog.PresentNotValidated(_logger, Name, Options.ValidationTimeout.TotalSeconds);

        Task Look() => _scheduler.Run(() => LookAtPresentCoreAsync(validator, hold), CancellationToken.None).Unwrap();
    }

    private async Task LookAtPresentCoreAsync(OptionsValidator validator, SemaphoreLease hold)
    {
        FlatConfiguration shown;
        string? reason;
        try
        {
            shown = Current;
            reason = Judge(validator) ?? _malformed;
        }
        finally
        {
            hold.Dispose();
        }

        if (reason is not null && !ReferenceEquals(shown, _unjudged))
        {
            HostingLog.PresentInvalid(_logger, Name, reason);
        }

        if (!_isJudged || validator != _first || Client is not { } client)
        {
            return;
        }

        // If this process has accepted nothing, the state shown was never in effect and is decided on like every release.
        if (client.Current().Release > 0)
        {
            await client.JudgeRestoredAsync(reason, CancellationToken.None).ConfigureAwait(false);
        }

        if (reason is not null)
        {
            Withdraw(shown);
        }
    }

    /// <summary>Creates the options of a container from the state shown; null if they are valid or see no release.</summary>
    private string? Judge(OptionsValidator validator)
    {
        // Without an attached provider, no options can see the state.
        if (Providers().Length == 0)
        {
            return null;
        }

        ValidationOutcome outcome = validator.Validate(this, null);
        outcome.Commit();
        return outcome.Failures.Count > 0 && Current.Release is not null ? string.Join(' ', outcome.Failures) : null;
    }
}
