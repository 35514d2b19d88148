using Ripple.Client.Scheduling;
using Ripple.Engine.Core;

namespace Ripple.Client.Running;

/// <summary>
/// Posts work to a core from tasks and other threads. Waits while the core's request queue is full; throws once the core has stopped.
/// </summary>
internal sealed class CoreDispatcher(IRuntimeDriver driver) : ICompletionQueue
{
    private const int FirstWaitMs = 1;
    private const int WaitMsMax = 16;

    /// <summary>The core.</summary>
    public CoreLoop Core => driver.Core;

    /// <summary>Runs what is not run by the core.</summary>
    public IClientScheduler Scheduler => driver.Scheduler;

    /// <inheritdoc/>
    public void Complete(Action action) => driver.Post(new ActionRequest(action));

    /// <summary>Queues the action for the core thread; completes once it is queued.</summary>
    /// <exception cref="RippleException">The core has stopped.</exception>
    /// <exception cref="OperationCanceledException">Canceled before the action was queued.</exception>
    public async ValueTask PostAsync(Action action, CancellationToken cancellationToken)
    {
        var request = new ActionRequest(action);
        for (int waitMs = FirstWaitMs; !driver.Core.Requests.TryPost(request); waitMs = Math.Min(2 * waitMs, WaitMsMax))
        {
            await driver.Scheduler.DelayAsync(TimeSpan.FromMilliseconds(waitMs), cancellationToken).ConfigureAwait(false);
            ThrowIfStopped();
        }

        ThrowIfStopped();
    }

    /// <summary>Runs the function on the core thread and returns its result, or throws its exception.</summary>
    /// <exception cref="RippleException">The core has stopped.</exception>
    public async Task<T> InvokeAsync<T>(Func<T> function, CancellationToken cancellationToken)
    {
        var result = new TaskCompletionSource<T>(driver.Scheduler.Completions);
        await PostAsync(
            () =>
            {
                try
                {
                    result.TrySetResult(function());
                }
                catch (Exception e)
                {
                    // The exception goes to the caller: it must not stop the core, which would stop the other clients too.
                    result.TrySetException(e);
                }
            },
            cancellationToken).ConfigureAwait(false);
        return await WaitAsync(result.Task, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits for a task that only the core can complete.</summary>
    /// <exception cref="RippleException">The core stopped first.</exception>
    public async Task<T> WaitAsync<T>(Task<T> task, CancellationToken cancellationToken)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, driver.Stopped);
        try
        {
            T result = await task.WaitAsync(either.Token).ConfigureAwait(false);
            await driver.Scheduler.ResumeAsync().ConfigureAwait(false);
            return result;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw Stopped();
        }
    }

    private void ThrowIfStopped()
    {
        if (driver.Stopped.IsCancellationRequested)
        {
            throw Stopped();
        }
    }

    private RippleException Stopped() => driver.Failure is { } failure
        ? new RippleException(
            $"The core of this process's Ripple runtime stopped because of a fault: {failure.Message} "
            + "Restart the process and report the fault.",
            failure)
        : new RippleException(
            "The Ripple runtime was disposed of. Dispose of its clients before it, and make new ones with a new runtime.");
}
