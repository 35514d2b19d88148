using Ripple.Client;
using Ripple.Client.Scheduling;

namespace Ripple.Extensions.Hosting.Connections;

/// <summary>
/// The user's own callback that accepts releases, asked before the validation and under a time limit of its own. Any thread.
/// </summary>
internal sealed class UserJudgement
{
    private static readonly TimeSpan TimeoutMax = TimeSpan.FromDays(1);
    private readonly Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>> _accept;
    private readonly TimeSpan _timeout;
    private readonly IClientScheduler _scheduler;

    /// <param name="accept">The user's callback.</param>
    /// <param name="timeout">The user's time limit.</param>
    /// <param name="ownTime">The time that validation and reload may take after the callback.</param>
    /// <param name="scheduler">Runs the time limit.</param>
    private UserJudgement(
        Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>> accept,
        TimeSpan timeout,
        TimeSpan ownTime,
        IClientScheduler scheduler)
    {
        _accept = accept;
        _scheduler = scheduler;
        _timeout = timeout < TimeoutMax - ownTime ? timeout : TimeoutMax - ownTime;
    }

    /// <summary>
    /// Takes the callback and its limit from the client's options; null when the user set no callback. The client's limit must cover the
    /// callback, the validation and the reload together, so that a release that was put in effect is never reported as rejected.
    /// </summary>
    /// <param name="name">The connection's name, for the error message.</param>
    /// <param name="options">The options after the user's changes.</param>
    /// <param name="ownTime">The time that validation and reload may take.</param>
    /// <param name="scheduler">Runs the time limit.</param>
    /// <param name="clientTimeout">The time limit to give to the client.</param>
    /// <exception cref="InvalidOperationException">The user's time limit is out of range.</exception>
    public static UserJudgement? From(
        string name, RippleClientOptions options, TimeSpan ownTime, IClientScheduler scheduler, out TimeSpan clientTimeout)
    {
        if (options.AcceptTimeout <= TimeSpan.Zero || options.AcceptTimeout > TimeoutMax)
        {
            throw new InvalidOperationException(
                $"ConfigureClient of Ripple '{name}' sets AcceptTimeout to {options.AcceptTimeout}. "
                    + $"Give more than zero and at most one day.");
        }

        UserJudgement? user = options.AcceptRelease is { } accept
            ? new UserJudgement(accept, options.AcceptTimeout, ownTime, scheduler)
            : null;
        clientTimeout = ownTime + (user?._timeout ?? TimeSpan.Zero);
        return user;
    }

    /// <summary>Asks the callback. A callback that does not answer in time rejects the release.</summary>
    /// <exception cref="OperationCanceledException">The client stops.</exception>
    public async ValueTask<ReleaseDecision> AskAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _scheduler.CancelAfter(limit, _timeout);
        try
        {
            return await _accept(release, limit.Token).AsTask().WaitAsync(limit.Token).ConfigureAwait(false)
                ?? ReleaseDecision.Reject(
                    "The callback that accepts releases returned null. Return ReleaseDecision.Accept or ReleaseDecision.Reject(reason).");
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return ReleaseDecision.Reject($"The callback that accepts releases did not answer within {_timeout.TotalSeconds} s.");
        }
    }
}
