using Ripple.Client.Running;
using Ripple.Engine.Links;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Client.Calls;

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
