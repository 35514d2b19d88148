namespace Ripple.Simulator.Simulation;

/// <summary>
/// An event at one moment of simulated time. Created once by its owner and scheduled many times, so that scheduling does not allocate.
/// </summary>
internal abstract class SimulationEvent
{
    /// <summary>The time at which it runs, in simulated nanoseconds; meaningless while not scheduled.</summary>
    public long DueNs { get; internal set; }

    /// <summary>True from scheduling until it runs or is canceled.</summary>
    public bool IsScheduled => HeapIndex >= 0;

    internal int HeapIndex { get; set; } = -1;

    /// <summary>Runs at <see cref="DueNs"/>, after the event has left the queue; the event may be scheduled again from here.</summary>
    protected internal abstract void Run();
}
