using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>The state present at the start, which can no longer be rejected.</content>
internal sealed partial class RippleConnection
{
    /// <summary>
    /// Adopts the state restored at the start, without validating it. Does not wait for the gate, whose holder may be waiting for the
    /// start: reads see the state at once, and listeners are notified when the gate is free.
    /// </summary>
    private void Adopt(RippleRelease release)
    {
        long startedAt = _scheduler.Clock.GetTimestamp();
        if (release.Release == 0 || !IsNews(release, Current))
        {
            return;
        }

        if (_table.TrySpread(release, out IReadOnlyList<string> errors) is not { } adopted)
        {
            HostingMetrics.Rejected(release.Application);
            HostingLog.Rejected(_logger, Name, release.ToString(), string.Join(' ', errors));
            return;
        }

        FlatConfiguration seen;
        do
        {
            seen = Current;
            if (!IsNews(release, seen))
            {
                return;
            }
        }
        while (!ReferenceEquals(Interlocked.CompareExchange(ref _current, adopted, seen), seen));

        Task entering = _scheduler.EnterAsync(_applying, Timeout.InfiniteTimeSpan, CancellationToken.None);
        if (entering.IsCompletedSuccessfully)
        {
            TellAdopted();
        }
        else
        {
            _ = TellLaterAsync();
        }

        async Task TellLaterAsync()
        {
            await entering.ConfigureAwait(false);
            TellAdopted();
        }

        void TellAdopted()
        {
            try
            {
                // Otherwise the listeners were already notified of something newer.
                if (ReferenceEquals(Current, adopted))
                {
                    Tell(adopted, [], startedAt);
                }
            }
            finally
            {
                _applying.Release();
            }
        }
    }

    /// <summary>
    /// Runs a container's first validation of the state in effect, which later releases are compared with. Waits at most the validation
    /// timeout; a longer validation continues and is logged.
    /// </summary>
    /// <exception cref="OperationCanceledException">The start was canceled.</exception>
    public async Task ValidatePresentAsync(OptionsValidator guard, CancellationToken cancellationToken)
    {
        var hold = new GateLease(Options.ValidationTimeout, _scheduler);
        if (await TryEnterAsync(hold, () => [guard], cancellationToken).ConfigureAwait(false) is not null
            && await EndsAsync(Look(), hold.Left, cancellationToken).ConfigureAwait(false))
        {
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        HostingLog.PresentNotValidated(_logger, Name, Options.ValidationTimeout.TotalSeconds);

        Task Look() => _scheduler.Run(
            () =>
            {
                LookAtPresent(guard, hold);
                return true;
            },
            CancellationToken.None);
    }

    private void LookAtPresent(OptionsValidator guard, GateLease hold)
    {
        try
        {
            // Without an attached provider, no options can see the state.
            if (Providers().Length == 0)
            {
                return;
            }

            ValidationOutcome verdict = guard.Validate(this, null);
            verdict.Commit();
            if (verdict.Failures.Count > 0 && Current.Release is not null)
            {
                HostingLog.PresentInvalid(_logger, Name, string.Join(' ', verdict.Failures));
            }
        }
        finally
        {
            hold.Dispose();
        }
    }

    private static bool IsNews(RippleRelease release, FlatConfiguration seen) =>
        seen.Release is not { } current || (release.Generation, release.Release).CompareTo((current.Generation, current.Release)) > 0;
}
