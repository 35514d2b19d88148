namespace Ripple.Engine.Core;

/// <summary>
/// Work done at the end of each turn while there is any, such as a root sink that pulls and sends. Costs nothing while idle.
/// </summary>
internal abstract class Agent
{
    internal bool IsActive { get; set; }

    internal bool IsListed { get; set; }

    internal bool IsStopped { get; private set; }

    /// <summary>
    /// Called on the core thread once per turn while active. Does a bounded amount of work and returns how much; 0 makes the agent idle
    /// until the next <see cref="CoreLoop.Activate"/>.
    /// </summary>
    protected internal abstract int DoWork();

    /// <summary>Stops the agent permanently; later activations have no effect. Core thread; safe from inside its own callback.</summary>
    protected void Stop() => IsStopped = true;
}
