using Ripple.Engine.Core;

namespace Ripple.Simulator.Simulation;

/// <summary>The properties of a simulated machine.</summary>
internal sealed record SimulatedMachineOptions
{
    /// <summary>
    /// The limits of its core: smaller than the real defaults, since there are many machines, and with checks for buffers used after their
    /// return.
    /// </summary>
    public CoreOptions Core { get; init; } = new()
    {
        AlarmsMax = 2_048,
        RequestsMax = 1_024,
        IoPerClassMax = 128,
        ControlSlabBytes = 8_192,
        DataSlabBytes = 16_384,
        RefusedTrainsMax = 4,
        IsChecked = true,
    };

    /// <summary>The fixed cost of one turn of the loop, in nanoseconds. Default 5 us.</summary>
    public long TurnNs { get; init; } = 5_000;

    /// <summary>The additional cost of each unit of work in a turn, in nanoseconds. Default 500 ns.</summary>
    public long WorkNs { get; init; } = 500;

    /// <summary>How many times slower the machine is than others. Default 1.</summary>
    public double Slowness { get; init; } = 1;

    /// <summary>How much faster (or, if negative, slower) its clock runs than simulated time, in parts per million. Default 0.</summary>
    public int ClockDriftPpm { get; init; }

    /// <summary>
    /// The clock's reading at simulated time 0, in nanoseconds. Null (the default) for a random one at each start of a process: the zero of
    /// a monotonic clock is arbitrary, and code that sends readings to others must fail.
    /// </summary>
    public long? ClockOffsetNs { get; init; }

    /// <summary>
    /// Maximum number of requests waiting outside the core's full queue. Default 65,536; exceeding it is a failure of the simulation.
    /// </summary>
    public int InboxMax { get; init; } = 65_536;
}
