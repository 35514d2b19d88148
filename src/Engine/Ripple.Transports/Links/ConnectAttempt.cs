using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Links;

namespace Ripple.Transports.Links;

/// <summary>One connect under way. Its outcome is reported on the core thread, at most once.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The source has no timer and no wait handle, and Cancel may come at any time.")]
internal sealed class ConnectAttempt(ILinkConnectResult result) : ILinkConnectAttempt
{
    private readonly CancellationTokenSource _cancelled = new();
    private bool _isOver;

    public CancellationToken Cancelled => _cancelled.Token;

    /// <summary>Core thread. The cancellation runs on the thread pool, because it runs the continuations that wait for it.</summary>
    public void Cancel()
    {
        if (!_isOver)
        {
            _isOver = true;
            ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), _cancelled, preferLocal: false);
        }
    }

    /// <summary>Core thread.</summary>
    public void Succeed(ILink link)
    {
        if (_isOver)
        {
            link.Close("The connect was cancelled.");
            return;
        }

        _isOver = true;
        result.OnConnected(link);
    }

    /// <summary>Core thread.</summary>
    public void Fail(LinkConnectFailure failure, string text)
    {
        if (!_isOver)
        {
            _isOver = true;
            result.OnConnectFailed(failure, text);
        }
    }
}
