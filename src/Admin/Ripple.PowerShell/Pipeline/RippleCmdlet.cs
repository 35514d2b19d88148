using System.Management.Automation;
using Ripple.Admin;

namespace Ripple.PowerShell.Pipeline;

/// <summary>What the cmdlets share: the client, Ctrl-C, work that is awaited, and failures that become error records.</summary>
public abstract class RippleCmdlet : PSCmdlet, IDisposable
{
    private readonly CancellationTokenSource _stop = new();

    /// <summary>Made by the module's cmdlets alone.</summary>
    private protected RippleCmdlet()
    {
    }

    /// <summary>The client that is connected.</summary>
    private protected static RippleAdminClient Client => RippleSession.Require();

    /// <summary>PowerShell disposes of it when the pipeline is done.</summary>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Gives up what is held.</summary>
    /// <param name="isDisposing">Always true.</param>
    protected virtual void Dispose(bool isDisposing) => _stop.Dispose();

    /// <summary>Ctrl-C, on a thread of its own: whatever is awaited gives up.</summary>
    protected override void StopProcessing()
    {
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The pipeline was done just then.
        }
    }

    /// <summary>Does the work for one item. When it fails, that is one error record, and the next item has its turn.</summary>
    /// <param name="target">What the item is, for the record.</param>
    /// <param name="work">On the pool; writes through the pump.</param>
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

    /// <summary>The answer of one call, or the default after an error record.</summary>
    private protected T? Ask<T>(object? target, Func<CancellationToken, Task<T>> call)
        where T : class
    {
        T? answer = null;
        return Work(target, async (_, c) => answer = await call(c).ConfigureAwait(false)) ? answer : null;
    }
}
