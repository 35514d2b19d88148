using System.Collections.Concurrent;

namespace Ripple.PowerShell.Pipeline;

/// <summary>
/// Runs asynchronous work while the pipeline's thread waits, and brings what it has to write back onto that thread: PowerShell takes
/// output, errors and progress from nowhere else. At most <see cref="WaitingMax"/> writes wait; then the work does.
/// </summary>
internal sealed class PipelinePump : IDisposable
{
    private const int WaitingMax = 64;

    private readonly BlockingCollection<Action> _writes = new(WaitingMax);
    private readonly CancellationTokenSource _over;

    private PipelinePump(CancellationToken stop) => _over = CancellationTokenSource.CreateLinkedTokenSource(stop);

    /// <summary>Runs the work to its end, writing meanwhile. On the pipeline's thread.</summary>
    /// <param name="work">Runs on the pool; its token is cancelled by <paramref name="stop"/>, and when the pipeline takes no more.</param>
    /// <param name="stop">Ctrl-C.</param>
    /// <remarks>
    /// Throws what the work throws, or what a write threw: a pipeline that has enough says so by an exception, which must go on up.
    /// </remarks>
    public static void Run(Func<PipelinePump, CancellationToken, Task> work, CancellationToken stop)
    {
        using var pump = new PipelinePump(stop);
        Task task = Task.Run(() => pump.WorkAsync(work), CancellationToken.None);
        try
        {
            foreach (Action write in pump._writes.GetConsumingEnumerable(CancellationToken.None))
            {
                write();
            }
        }
        catch
        {
            pump._over.Cancel();
            // The work must not outlive the pump; that it was cancelled is known.
            task.ContinueWith(t => t.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default)
                .GetAwaiter()
                .GetResult();
            throw;
        }

        task.GetAwaiter().GetResult();
    }

    /// <summary>Has something written on the pipeline's thread; returns when it is queued. By the work.</summary>
    /// <exception cref="OperationCanceledException">Nothing is written any more.</exception>
    public void Post(Action write) => _writes.Add(write, _over.Token);

    public void Dispose()
    {
        _writes.Dispose();
        _over.Dispose();
    }

    private async Task WorkAsync(Func<PipelinePump, CancellationToken, Task> work)
    {
        try
        {
            await work(this, _over.Token).ConfigureAwait(false);
        }
        finally
        {
            _writes.CompleteAdding();
        }
    }
}
