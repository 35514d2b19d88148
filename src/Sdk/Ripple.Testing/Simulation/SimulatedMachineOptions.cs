using Ripple.Engine.Core;

namespace Ripple.Testing.Simulation;

/// <summary>What a simulated machine is like.</summary>
internal sealed record SimulatedMachineOptions
{
    /// <summary>
    /// The sizes of its core: smaller than the defaults of a real one, since there are many, and checking for buffers used after their
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

    /// <summary>What one turn of the loop costs, in nanoseconds, whatever it does. Default 5 us.</summary>
    public long TurnNs { get; init; } = 5_000;

    /// <summary>What one unit of work of a turn costs more, in nanoseconds. Default 500 ns.</summary>
    public long WorkNs { get; init; } = 500;

    /// <summary>How many times slower than others the machine is. Default 1.</summary>
    public double Slowness { get; init; } = 1;

    /// <summary>How much its clock runs faster (or, negative, slower) than simulated time, in parts per million. Default 0.</summary>
    public int ClockDriftPpm { get; init; }

    /// <summary>
    /// What its clock shows at simulated time 0, in nanoseconds; null means a random value for each start of a process, since the zero of a
    /// monotonic clock means nothing and code that sends its readings to others must fail. Default null.
    /// </summary>
    public long? ClockOffsetNs { get; init; }

    /// <summary>The most requests that wait outside the core's full door. Default 65,536; more is a failure of the simulation.</summary>
    public int InboxMax { get; init; } = 65_536;
}
