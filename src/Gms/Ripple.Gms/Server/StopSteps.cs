using Microsoft.Extensions.Logging;

namespace Ripple.Gms.Server;

/// <summary>
/// Stops parts one after another within one time limit. A part that fails or hangs is logged and does not keep the others from stopping.
/// </summary>
internal sealed class StopSteps(ILogger logger, TimeSpan timeout) : IDisposable
{
    private readonly CancellationTokenSource _limit = new(timeout);

    /// <summary>Stops a part.</summary>
    /// <param name="part">Its name in the log.</param>
    /// <param name="stop">Stops the part.</param>
    public async Task DoAsync(string part, Func<Task> stop)
    {
        try
        {
            await stop().WaitAsync(_limit.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            HostLog.StopTimedOut(logger, part, e);
        }
    }

    /// <summary>Stops a part by disposing of it, which may block for a while; does nothing for null.</summary>
    public Task DisposeOfAsync(string part, IAsyncDisposable? disposable) =>
        disposable is null ? Task.CompletedTask : DoAsync(part, () => Task.Run(() => disposable.DisposeAsync().AsTask()));

    public void Dispose() => _limit.Dispose();
}
