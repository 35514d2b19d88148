namespace Ripple.Engine.Core;

/// <summary>Returns completions of work done outside the core to it. Unlike a caller's request, a completion is never refused.</summary>
internal interface ICompletionQueue
{
    /// <summary>
    /// Runs the action on the core thread later; actions from one thread keep their order. Any thread except the core's; waits while the
    /// request queue is full.
    /// </summary>
    void Complete(Action action);
}
