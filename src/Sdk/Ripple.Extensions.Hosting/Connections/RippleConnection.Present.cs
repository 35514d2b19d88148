using System.Diagnostics;
using Ripple.Client;
using Ripple.Extensions.Hosting.Configuration;
using Ripple.Extensions.Hosting.Telemetry;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>What is there at the start: nobody can reject it any more.</content>
internal sealed partial class RippleConnection
{
    /// <summary>
    /// Takes a state without asking: the one restored at the start. Waits for nobody, because whoever is in the gate may wait for the
    /// start; reads see it at once, and whoever listens is told when the gate is free.
    /// </summary>
    private void Adopt(RippleRelease release)
    {
        long startedAt = Stopwatch.GetTimestamp();
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

        Task entering = _applying.WaitAsync();
        if (entering.IsCompletedSuccessfully)
        {
            TellAdopted();
        }
        else
        {
            _ = entering.ContinueWith(_ => TellAdopted(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        void TellAdopted()
        {
            try
            {
                // Else whoever listens was told of something newer.
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
    /// A container's validation looks at what is in effect for the first time: later releases are compared with that. Waits no longer than
    /// a validation may take; one that takes longer goes on, and is logged.
    /// </summary>
    /// <exception cref="OperationCanceledException">The start was given up.</exception>
    public async Task ValidatePresentAsync(OptionsValidator guard, CancellationToken cancellationToken)
    {
        var hold = new GateLease(Options.ValidationTimeout);
        if (await TryEnterAsync(hold, () => [guard], cancellationToken).ConfigureAwait(false) is not null
            && await EndsAsync(
                Task.Run(() => LookAtPresent(guard, hold), CancellationToken.None), hold.Left, cancellationToken).ConfigureAwait(false))
        {
            return;
        }

        cancellationToken.ThrowIfCancellationRequested();
        HostingLog.PresentNotValidated(_logger, Name, Options.ValidationTimeout.TotalSeconds);
    }

    private void LookAtPresent(OptionsValidator guard, GateLease hold)
    {
        try
        {
            // What no configuration shows, no options see.
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
