namespace Ripple.Engine.Core;

/// <summary>
/// Something other threads ask of the core: a call of the API, or the completion of work done outside (a commit, a verification, a control
/// frame). Made by the asker; owned by the core from <see cref="RequestQueue.TryPost"/> until <see cref="Execute"/> returns.
/// </summary>
internal abstract class Request
{
    /// <summary>Runs once, on the core thread, in the order of posting.</summary>
    protected internal abstract void Execute();
}
