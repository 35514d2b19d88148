namespace Ripple.Engine.Core;

/// <summary>
/// Work that is done at the end of turns while there is some: a root sink that pulls and sends. Costs nothing while idle.
/// </summary>
internal abstract class Agent
{
    internal bool IsActive { get; set; }

    internal bool IsListed { get; set; }

    internal bool IsStopped { get; private set; }

    /// <summary>
    /// Called on the core thread once a turn while active. Does a bounded amount; returns how much. 0 makes the agent idle until the next
    /// <see cref="CoreLoop.Activate"/>.
    /// </summary>
    protected internal abstract int DoWork();

    /// <summary>Ends the agent: it is not called again, whoever activates it. Core thread; safe from inside its own call.</summary>
    protected void Stop() => IsStopped = true;
}
