using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Tracing;

/// <summary>One event of a run.</summary>
/// <param name="Ns">When, in simulated nanoseconds.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Text">What happened, in words; the machine and the time are not repeated in them.</param>
internal sealed record TraceEvent(long Ns, TraceKind Kind, string Text)
{
    /// <summary>When it ended; the same as its start unless it lasted.</summary>
    public long EndNs { get; init; } = Ns;

    /// <summary>The machines it happened to; none for all of them.</summary>
    public IReadOnlyList<SimulatedMachine> Machines { get; init; } = [];

    /// <summary>The release; null for none.</summary>
    public ReleaseLabel? Release { get; init; }

    /// <summary>The publish; null for none.</summary>
    public Guid? Publish { get; init; }

    /// <summary>The wait; null for none.</summary>
    public string? Wait { get; init; }
}
