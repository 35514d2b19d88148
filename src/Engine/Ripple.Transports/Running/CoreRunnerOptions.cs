using Ripple.Engine.Core;

namespace Ripple.Transports.Running;

/// <summary>How a runner runs its core.</summary>
internal sealed record CoreRunnerOptions
{
    /// <summary>The thread's name. Default "ripple core".</summary>
    public string Name { get; init; } = "ripple core";

    /// <summary>How the thread waits. Default <see cref="WaitKind.Auto"/>.</summary>
    public WaitKind Wait { get; init; }

    /// <summary>The core's clock. Default the machine's monotonic clock.</summary>
    public IClock Clock { get; init; } = MonotonicClock.Instance;

    /// <summary>
    /// Called once, on the core thread, when an exception has escaped from the core, which then runs no further turn. Null (the default):
    /// the exception stays unhandled and ends the process, because the core's state may be broken.
    /// </summary>
    public Action<Exception>? OnFailed { get; init; }
}
