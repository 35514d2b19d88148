using Ripple.Client;

namespace Ripple.Extensions.Hosting.Connections;

/// <content>The user's own callback for a release, called before the validation.</content>
internal sealed partial class RippleConnection
{
    private static readonly TimeSpan AcceptTimeoutMax = TimeSpan.FromDays(1);
    private Func<RippleRelease, CancellationToken, ValueTask<ReleaseDecision>>? _userAccepts;
    private TimeSpan _userLimit;

    /// <summary>
    /// Takes over the user's callback and its limit, and returns the limit for the client. The user's callback, the validation and the
    /// reload's callbacks each have their own limit; the client's limit exceeds them all together, so that a release already swapped in is
    /// never reported as rejected.
    /// </summary>
    /// <exception cref="InvalidOperationException">The user's limit is out of range.</exception>
    private TimeSpan TakeUserAccepts(RippleClientOptions options)
    {
        if (options.AcceptTimeout <= TimeSpan.Zero || options.AcceptTimeout > AcceptTimeoutMax)
        {
            throw new InvalidOperationException(
                $"ConfigureClient of Ripple '{Name}' sets AcceptTimeout to {options.AcceptTimeout}. "
                    + $"Give more than zero and at most one day.");
        }

        TimeSpan own = (Options.ValidationTimeout * 2) + TimeSpan.FromSeconds(10);
        _userAccepts = options.AcceptRelease;
        _userLimit = options.AcceptTimeout < AcceptTimeoutMax - own ? options.AcceptTimeout : AcceptTimeoutMax - own;
        return _userAccepts is null ? own : own + _userLimit;
    }

    /// <summary>Calls the user's callback; null if there is none.</summary>
    private async ValueTask<ReleaseDecision?> AskUserAsync(RippleRelease release, CancellationToken cancellationToken)
    {
        if (_userAccepts is not { } ask)
        {
            return null;
        }

        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(_userLimit);
        try
        {
            return await ask(release, limit.Token).AsTask().WaitAsync(limit.Token).ConfigureAwait(false)
                ?? ReleaseDecision.Reject(
                    "The callback that accepts releases returned null. Return ReleaseDecision.Accept or ReleaseDecision.Reject(reason).");
        }
        catch (OperationCanceledException) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return ReleaseDecision.Reject($"The callback that accepts releases did not answer within {_userLimit.TotalSeconds} s.");
        }
    }
}
