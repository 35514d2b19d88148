namespace Ripple.Engine.Core;

/// <summary>
/// Brings the completion of work done outside back to the core. Unlike a request of a caller, a completion is never refused.
/// </summary>
internal interface ICompletionQueue
{
    /// <summary>
    /// Has the action run on the core thread, later, in the order of the calls of one thread. Any thread but the core's; waits while the
    /// door is full.
    /// </summary>
    void Complete(Action action);
}
