using System.Globalization;
using Ripple.Client.Running;
using Ripple.Client.State;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;

namespace Ripple.Client.Calls;

/// <summary>
/// Calls to a host. Each waits for a connection, is sent again when the connection is lost or the host is busy, and ends with its timeout
/// at the latest.
/// </summary>
internal sealed class HostCalls(CoreDispatcher door, ClientCore core, ConnectionSignal gate)
{
    private const int AskAgainMsMin = 20;
    private const int AskAgainMsMax = 500;

    /// <summary>
    /// Tries until there is an answer other than <see cref="ErrorCode.Busy"/>. Returns that one after the timeout when every attempt was
    /// answered so: the caller then knows that nothing was done.
    /// </summary>
    /// <param name="what">The call in words, for the error: "the history of 'shop'".</param>
    /// <param name="newAttempt">Makes an attempt.</param>
    /// <param name="codeOf">The code of an answer.</param>
    /// <param name="timeout">The time for all attempts together.</param>
    /// <param name="isWait">Tells the host when the caller gives up.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="RippleTimeoutException">The timeout passed, and the outcome of an attempt is not known.</exception>
    /// <exception cref="RippleRefusedException">The hosts refused this client's credential.</exception>
    public async Task<TResult> AskAsync<TResult>(
        string what,
        Func<CallAttempt<TResult>> newAttempt,
        Func<TResult, ErrorCode> codeOf,
        TimeSpan timeout,
        bool isWait,
        CancellationToken cancellationToken)
        where TResult : class
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(timeout);
        bool wasSent = false;
        bool isUnknown = false;
        TResult? busy = null;
        try
        {
            for (int pauseMs = AskAgainMsMin; ; pauseMs = Math.Min(2 * pauseMs, AskAgainMsMax))
            {
                await gate.WaitConnectedAsync(limit.Token).ConfigureAwait(false);
                wasSent = true;
                bool wasUnknown = isUnknown;
                isUnknown = true;
                TResult? answer = await TryOnceAsync(newAttempt(), isWait, limit.Token).ConfigureAwait(false);
                ErrorCode code = answer is null ? ErrorCode.ConnectionLost : codeOf(answer);
                if (code is not (ErrorCode.Busy or ErrorCode.ConnectionLost))
                {
                    return answer!;
                }

                isUnknown = wasUnknown || code == ErrorCode.ConnectionLost;
                busy = answer;
                await Task.Delay(pauseMs, limit.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && busy is not null && !isUnknown)
        {
            return busy;
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            string seconds = timeout.TotalSeconds.ToString("0.###", CultureInfo.InvariantCulture);
            throw new RippleTimeoutException(
                wasSent
                    ? $"No host answered for {what} within {seconds} s. Look at the hosts' health, or give more time."
                    : $"No host could be asked for {what} within {seconds} s: {gate.Now.Error ?? "still connecting."} "
                    + "Check that a host of the connection string runs and can be reached.",
                e);
        }
    }

    /// <summary>A call that has one answer.</summary>
    public Task<TAnswer> AskAsync<TRequest, TAnswer>(
        string what, Func<uint, TRequest> make, Func<TAnswer, ErrorCode> codeOf, TimeSpan timeout, CancellationToken cancellationToken)
        where TRequest : class, IMessage<TRequest>
        where TAnswer : class =>
        AskAsync(
            what,
            () => new CallAttempt<TAnswer>((link, call) => link.TrySend(make(call)), answer => answer as TAnswer),
            codeOf,
            timeout,
            isWait: false,
            cancellationToken);

    /// <summary>Throws the host's refusal, if there is one.</summary>
    public static void ThrowIfRefused(ErrorCode code, string text)
    {
        if (code != ErrorCode.None)
        {
            throw new RippleException(code, text.Length > 0 ? text : $"The host refused: {code}.");
        }
    }

    private async Task<TResult?> TryOnceAsync<TResult>(CallAttempt<TResult> attempt, bool isWait, CancellationToken cancellationToken)
        where TResult : class
    {
        try
        {
            await door.PostAsync(() => attempt.Begin(core), cancellationToken).ConfigureAwait(false);
            return await door.WaitAsync(attempt.Result, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = door.Core.Requests.TryPost(new ActionRequest(() => attempt.GiveUp(core, isWait)));
            throw;
        }
    }
}
