namespace Ripple.Engine.Core;

/// <summary>
/// Work posted to the core by another thread: an API call, or the completion of work done outside (a commit, a verification, a control
/// frame). Created by the poster; owned by the core from <see cref="RequestQueue.TryPost"/> until <see cref="Execute"/> returns.
/// </summary>
internal abstract class Request
{
    /// <summary>Runs once, on the core thread, in posting order.</summary>
    protected internal abstract void Execute();
}
