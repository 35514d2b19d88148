namespace Ripple.Testing.Simulation;

/// <summary>
/// Something that happens once at one moment of simulated time. Made by its owner, scheduled many times, so that scheduling allocates
/// nothing.
/// </summary>
internal abstract class SimulationEvent
{
    /// <summary>When it happens, in simulated nanoseconds; meaningless while not scheduled.</summary>
    public long DueNs { get; internal set; }

    /// <summary>True from scheduling until it runs or is cancelled.</summary>
    public bool IsScheduled => HeapIndex >= 0;

    internal int HeapIndex { get; set; } = -1;

    /// <summary>Runs at <see cref="DueNs"/>, after the event has left the queue; it may be scheduled again from inside.</summary>
    protected internal abstract void Run();
}
