using Ripple.Engine.Core;

namespace Ripple.Transports.Running;

/// <summary>A function to run on the core thread; the caller awaits its result.</summary>
internal sealed class CoreFunction<T>(Func<T> function) : Request
{
    // The caller's continuation must not run on the core thread.
    private readonly TaskCompletionSource<T> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<T> Result => _result.Task;

    protected internal override void Execute()
    {
        try
        {
            _result.SetResult(function());
        }
        catch (Exception e)
        {
            _result.SetException(e);
        }
    }
}
