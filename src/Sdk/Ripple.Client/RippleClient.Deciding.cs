using Ripple.Client.Diagnostics;
using Ripple.Client.State;

namespace Ripple.Client;

/// <content>Decisions where the validators are created after the client: <see cref="RippleClientOptions.HoldsDecisions"/>.</content>
public sealed partial class RippleClient
{
    /// <summary>The release that most members have in effect, and the eight before the newest.</summary>
    private const int TriedNamedMax = 9;

    /// <summary>
    /// The newest release of the own application that this process rejects, if it is newer than the one in effect; else null.
    /// </summary>
    internal StandingRejection? Rejection => _current.RejectionOf(Application);

    /// <summary>The newest release of the own application that was received completely, in effect or not; 0 for none.</summary>
    internal ulong NewestReceived => _current.ReceivedOf(Application).Release;

    /// <summary>Whether a host is asked for a past release to start from, because the newest is rejected.</summary>
    internal bool IsSearching => _current.ReceivedOf(Application).IsSearching;

    /// <summary>For how long a release of the own application has waited for this process to decide; zero while none does.</summary>
    internal TimeSpan UndecidedFor =>
        _current.ReceivedOf(Application).UndecidedSince is { } since ? _scheduler.Clock.GetElapsedTime(since) : TimeSpan.Zero;

    /// <summary>The newest release of the own application that was received completely, in effect or not.</summary>
    internal Task<RippleRelease> ReceivedAsync(CancellationToken cancellationToken) =>
        _runtime.CoreDispatcher.InvokeAsync(_core.Received, cancellationToken);

    /// <summary>
    /// Passes on the validators' decision on the state that was restored from disk. With a reason, the state is rejected and no longer in
    /// effect.
    /// </summary>
    internal Task JudgeRestoredAsync(string? reason, CancellationToken cancellationToken)
    {
        if (reason is not null)
        {
            ClientLog.Withdrawn(_logger, Application, _current[Application].Release, reason);
        }

        return _runtime.CoreDispatcher.InvokeAsync(
            () =>
            {
                _core.JudgeRestored(reason);
                if (Current().Release == 0)
                {
                    _hub.Withdraw(Application);
                }

                return true;
            },
            cancellationToken);
    }

    /// <summary>
    /// The validators exist: releases are decided from now on. The inner task completes when there is nothing left to decide.
    /// </summary>
    internal async Task<Task> BeginDecidingAsync(CancellationToken cancellationToken)
    {
        Task<bool> settled = await _runtime.CoreDispatcher.InvokeAsync(_core.BeginDeciding, cancellationToken).ConfigureAwait(false);
        return _runtime.CoreDispatcher.WaitAsync(settled, cancellationToken);
    }

    /// <summary>Null if something is in effect, or nothing was released; else why there is nothing to start from.</summary>
    internal string? WhyNothingIsInEffect()
    {
        if (_current[Application].Release > 0 || Rejection is not { } row)
        {
            return null;
        }

        // The newest of the earlier ones show where a mistake began; the oldest are left out.
        StandingRejection[] others = [.. row.Others.TakeLast(TriedNamedMax).Reverse()];
        string tried = others.Length == 0
            ? string.Empty
            : $"Of the releases before it, it rejects {string.Join(' ', others.Select(o => $"{o.Release}: {FullStop(o.Reason)}"))} ";
        return $"'{Application}' has nothing to start from: this process rejects release {row.Release}, "
            + $"and has no release that it accepts. {FullStop(row.Reason)} {tried}"
            + "Publish a release that it accepts, or set StartupMode.Background, which starts without one.";
    }

    private static string FullStop(string text) => text.EndsWith('.') ? text : text + ".";
}
