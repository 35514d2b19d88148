using System.Globalization;
using Ripple.Client.Running;
using Ripple.Client.State;
using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Client.Calls;

/// <summary>
/// Calls to a host. Each call waits for a connection, is sent again if the connection is lost or the host is busy, and ends no later than
/// its timeout.
/// </summary>
internal sealed class HostCalls(CoreDispatcher dispatcher, ClientCore core, ConnectionSignal connection)
{
    private const int AskAgainMsMin = 20;
    private const int AskAgainMsMax = 500;

    /// <summary>The options of the tasks that attempts complete.</summary>
    public TaskCreationOptions Completions => dispatcher.Scheduler.Completions;

    /// <summary>
    /// Retries until the answer is something other than <see cref="ErrorCode.Busy"/>, and leaves nothing open. If the timeout passes and
    /// every attempt was answered with Busy, returns that answer: the caller then knows that nothing was done.
    /// </summary>
    /// <param name="what">Describes the call in error messages, for example "the history of 'shop'".</param>
    /// <param name="newAttempt">Creates an attempt.</param>
    /// <param name="codeOf">Extracts the code from an answer.</param>
    /// <param name="timeout">The time limit for all attempts together.</param>
    /// <param name="isWait">True to tell the host when the caller gives up.</param>
    /// <param name="cancellationToken">Abandons the call.</param>
    /// <param name="openOf">
    /// What an answer says that leaves open whether the call was done, so that it is asked again; null for any other answer. A null
    /// function takes every answer but Busy for the last.
    /// </param>
    /// <exception cref="RippleTimeoutException">The timeout passed before a host could be asked, or with the outcome of an attempt
    /// unknown.</exception>
    /// <exception cref="RippleRefusedException">The hosts refused this client's credential.</exception>
    public async Task<TResult> AskAsync<TResult>(
        string what,
        Func<CallAttempt<TResult>> newAttempt,
        Func<TResult, ErrorCode> codeOf,
        TimeSpan timeout,
        bool isWait,
        CancellationToken cancellationToken,
        Func<TResult, string?>? openOf = null)
        where TResult : class
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        dispatcher.Scheduler.CancelAfter(limit, timeout);
        bool wasSent = false;
        bool isUnknown = false;
        string? open = null;
        TResult? busy = null;
        int counted = isWait ? 0 : 1;
        core.CountCall(counted);
        try
        {
            for (int pauseMs = AskAgainMsMin; ; pauseMs = Math.Min(2 * pauseMs, AskAgainMsMax))
            {
                await connection.WaitConnectedAsync(limit.Token).ConfigureAwait(false);
                wasSent = true;
                bool wasUnknown = isUnknown;
                isUnknown = true;
                TResult? answer = await TryOnceAsync(newAttempt(), isWait, limit.Token).ConfigureAwait(false);
                ErrorCode code = answer is null ? ErrorCode.ConnectionLost : codeOf(answer);
                string? leftOpen = answer is null ? null : openOf?.Invoke(answer);
                if (code is not (ErrorCode.Busy or ErrorCode.ConnectionLost) && leftOpen is null)
                {
                    return answer!;
                }

                open = leftOpen ?? open;
                isUnknown = wasUnknown || code == ErrorCode.ConnectionLost || leftOpen is not null;
                busy = answer;
                await dispatcher.Scheduler.DelayAsync(TimeSpan.FromMilliseconds(pauseMs), limit.Token).ConfigureAwait(false);
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
                open is not null ? $"Nobody could say within {seconds} s whether {what} was done. The last answer: {open}"
                : wasSent
                    ? $"No host answered for {what} within {seconds} s. Look at the hosts' health, or give more time."
                    : $"No host could be asked for {what} within {seconds} s: {connection.Now.Error ?? "still connecting."} "
                    + "Check that a host of the connection string runs and can be reached.",
                e);
        }
        finally
        {
            core.CountCall(-counted);
        }
    }

    /// <summary>Makes a call that has a single answer.</summary>
    public Task<TAnswer> AskAsync<TRequest, TAnswer>(
        string what, Func<uint, TRequest> make, Func<TAnswer, ErrorCode> codeOf, TimeSpan timeout, CancellationToken cancellationToken)
        where TRequest : class, IMessage<TRequest>
        where TAnswer : class =>
        AskAsync(
            what,
            () => new CallAttempt<TAnswer>(Completions, (link, call) => link.TrySend(make(call)), answer => answer as TAnswer),
            codeOf,
            timeout,
            isWait: false,
            cancellationToken);

    /// <summary>Throws if the host refused.</summary>
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
            await dispatcher.PostAsync(() => attempt.Begin(core), cancellationToken).ConfigureAwait(false);
            return await dispatcher.WaitAsync(attempt.Result, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = dispatcher.Core.Requests.TryPost(new ActionRequest(() => attempt.GiveUp(core, isWait)));
            throw;
        }
    }
}

/// <summary>One call on one connection: sent on the core thread, awaited by a task outside it.</summary>
/// <param name="completions">The options of <see cref="Result"/>.</param>
/// <param name="send">Sends the call with this number; returns false if the link is full at the moment. Core thread.</param>
/// <param name="collect">Receives an answer; returns the result on the last one, null before. Core thread.</param>
/// <param name="ended">Called when the call is answered, lost or abandoned. Core thread; may be null.</param>
internal sealed class CallAttempt<TResult>(
    TaskCreationOptions completions,
    Func<ILink, uint, bool> send,
    Func<object, TResult?> collect,
    Action<uint>? ended = null)
    where TResult : class
{
    private readonly TaskCompletionSource<TResult?> _result = new(completions);
    private uint _call;

    /// <summary>
    /// The result; null if the connection was lost before the last answer or did not accept the call, in which case try again.
    /// </summary>
    public Task<TResult?> Result => _result.Task;

    /// <summary>Sends the call. Core thread.</summary>
    public void Begin(ClientCore core)
    {
        if (core.Node is not { Link: { } link } node)
        {
            _result.TrySetResult(null);
            return;
        }

        uint call = _call = node.Calls.Register(answer => OnAnswer(node, answer));
        if (call == 0)
        {
            _result.TrySetResult(null);
        }
        else if (!send(link, call))
        {
            node.Calls.Complete(call);
            End(null);
        }
    }

    /// <summary>Abandons the call when its caller gives up; tells the host if it is a wait. Core thread.</summary>
    public void GiveUp(ClientCore core, bool isWait)
    {
        if (_result.TrySetCanceled() && _call != 0 && core.Node is { } node)
        {
            node.Calls.Complete(_call);
            if (isWait)
            {
                node.Link?.TrySend(new WaitCancel(_call));
            }

            ended?.Invoke(_call);
        }
    }

    private void OnAnswer(Node node, object? answer)
    {
        TResult? last = answer is null ? null : collect(answer);
        if (answer is null || last is not null)
        {
            node.Calls.Complete(_call);
            End(last);
        }
    }

    private void End(TResult? result)
    {
        if (_result.TrySetResult(result))
        {
            ended?.Invoke(_call);
        }
    }
}
