using Ripple.Engine.Core;

namespace Ripple.Transports.Links;

/// <summary>Posts requests from tasks, which may wait while the queue is full.</summary>
internal static class RequestPosting
{
    private const int FirstWaitMs = 1;
    private const int WaitMsMax = 16;

    /// <summary>Posts, and retries while the queue is full. False when cancelled first; one attempt is made in any case.</summary>
    public static async Task<bool> PostAsync(RequestQueue requests, Request request, CancellationToken cancellationToken)
    {
        for (int waitMs = FirstWaitMs; !requests.TryPost(request); waitMs = Math.Min(2 * waitMs, WaitMsMax))
        {
            await Task.Delay(waitMs, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (cancellationToken.IsCancellationRequested)
            {
                return false;
            }
        }

        return true;
    }
}
