using System.Collections.Concurrent;
using System.Management.Automation;
using Ripple.Admin;

namespace Ripple.PowerShell.Pipeline;

/// <summary>The base of the cmdlets: Ctrl-C, awaiting work, and turning failures into error records.</summary>
public abstract class RippleCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected RippleCmdlet()
    {
    }

    /// <summary>Called by PowerShell when the pipeline is done.</summary>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Releases resources.</summary>
    /// <param name="isDisposing">Always true.</param>
    protected virtual void Dispose(bool isDisposing) => _stop.Dispose();

    /// <summary>Handles Ctrl-C, on a separate thread: cancels the current work.</summary>
    protected override void StopProcessing()
    {
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The pipeline ended at the same time.
        }
    }

    /// <summary>
    /// Runs the work for one item. A failure becomes one error record and returns false, and processing continues with the next item.
    /// </summary>
    /// <param name="target">The item, for the error record.</param>
    /// <param name="work">Runs on the thread pool; writes through the pump.</param>
    internal bool Work(object? target, Func<PipelinePump, CancellationToken, Task> work)
    {
        try
        {
            Await(work);
            return true;
        }
        catch (Exception e) when (e is RippleAdminException or CmdletException)
        {
            WriteError(ErrorCodes.Record(e, target));
            return false;
        }
    }

    /// <summary>Runs the work; a failure is thrown.</summary>
    /// <param name="work">Runs on the thread pool; writes through the pump.</param>
    /// <exception cref="PipelineStoppedException">Ctrl-C.</exception>
    private protected void Await(Func<PipelinePump, CancellationToken, Task> work)
    {
        try
        {
            PipelinePump.Run(work, _stop.Token);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            throw new PipelineStoppedException();
        }
    }
}

/// <summary>
/// Runs asynchronous work while the pipeline's thread waits, and runs its writes on that thread: PowerShell accepts output, errors and
/// progress from no other. At most <see cref="WaitingMax"/> writes are queued; beyond that the work waits.
/// </summary>
internal sealed class PipelinePump : IDisposable
{
    private const int WaitingMax = 64;

    private readonly BlockingCollection<Action> _writes = new(WaitingMax);
    private readonly CancellationTokenSource _over;

    private PipelinePump(CancellationToken stop) => _over = CancellationTokenSource.CreateLinkedTokenSource(stop);

    /// <summary>Runs the work to completion, executing its writes. Call on the pipeline's thread.</summary>
    /// <param name="work">Runs on the thread pool; its token is canceled by <paramref name="stop"/>, and when the pipeline accepts no more
    /// output.</param>
    /// <param name="stop">Ctrl-C.</param>
    /// <remarks>
    /// Throws any exception of the work or of a write: a pipeline that has enough output signals it by an exception, which must propagate.
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
            // The work must not outlive the pump; its cancellation is expected.
            task.ContinueWith(t => t.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default)
                .GetAwaiter()
                .GetResult();
            throw;
        }

        task.GetAwaiter().GetResult();
    }

    /// <summary>Queues a write for the pipeline's thread; returns once it is queued. Called by the work.</summary>
    /// <exception cref="OperationCanceledException">No more writes are accepted.</exception>
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
