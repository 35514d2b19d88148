using System.Management.Automation;
using Ripple.Admin;

namespace Ripple.PowerShell.Pipeline;

/// <summary>The base of the cmdlets: the client, Ctrl-C, awaiting work, and turning failures into error records.</summary>
public abstract class RippleCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Only the module's cmdlets derive from it.</summary>
    private protected RippleCmdlet()
    {
    }

    /// <summary>The connected client.</summary>
    private protected static RippleAdminClient Client => RippleSession.Require();

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
            PipelinePump.Run(work, _stop.Token);
            return true;
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            throw new PipelineStoppedException();
        }
        catch (Exception e) when (e is RippleAdminException or CmdletException)
        {
            WriteError(ErrorCodes.Record(e, target));
            return false;
        }
    }

    /// <summary>The result of one call; null after an error record.</summary>
    private protected T? Ask<T>(object? target, Func<CancellationToken, Task<T>> call)
        where T : class
    {
        T? answer = null;
        return Work(target, async (_, c) => answer = await call(c).ConfigureAwait(false)) ? answer : null;
    }
}
