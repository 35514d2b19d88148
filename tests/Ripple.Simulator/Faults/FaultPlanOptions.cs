using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Faults;

/// <summary>The frequency and extent of faults in a run.</summary>
internal sealed record FaultPlanOptions
{
    /// <summary>The length of the run, in simulated nanoseconds. Default 60 s.</summary>
    public long DurationNs { get; init; } = 60_000_000_000;

    /// <summary>The earliest start of a fault. Default 2 s.</summary>
    public long QuietStartNs { get; init; } = 2_000_000_000;

    /// <summary>How long before the end of the run all faults have ended, so that the system can settle. Default 20 s.</summary>
    public long QuietEndNs { get; init; } = 20_000_000_000;

    /// <summary>Windows without faults: none starts in one, and those before end at its start. Default none.</summary>
    public CalmWindows Calms { get; init; } = CalmWindows.None;

    /// <summary>The mean time between starts of faults. Default 700 ms.</summary>
    public long IntervalNs { get; init; } = 700_000_000;

    /// <summary>The longest duration of a fault, including the downtime of a crashed machine. Default 8 s.</summary>
    public long LongestNs { get; init; } = 8_000_000_000;

    /// <summary>Maximum number of nodes down at one time; crashes beyond it are skipped. Default 3.</summary>
    public int NodesDownMax { get; init; } = 3;

    /// <summary>Maximum number of hosts down at one time; crashes beyond it are skipped. Default 1.</summary>
    public int HostsDownMax { get; init; } = 1;

    /// <summary>
    /// The kinds of fault a plan may contain and their relative likelihood: a kind listed twice is twice as likely. Restarts follow crashes
    /// automatically.
    /// </summary>
    public IReadOnlyList<FaultKind> Kinds { get; init; } =
    [
        FaultKind.LossBurst,
        FaultKind.LossBurst,
        FaultKind.DelayBurst,
        FaultKind.ReorderBurst,
        FaultKind.DuplicationBurst,
        FaultKind.CorruptionBurst,
        FaultKind.Partition,
        FaultKind.OneWayPartition,
        FaultKind.Pause,
        FaultKind.Pause,
        FaultKind.NodeCrash,
        FaultKind.NodeCrash,
        FaultKind.HostCrash,
    ];

    /// <summary>
    /// Ends the process of a machine; the flag is true for a loss of power. Null (the default) for <see cref="SimulatedMachine.Crash"/>.
    /// </summary>
    public Action<SimulatedMachine, bool>? Crash { get; init; }

    /// <summary>Restarts the process of a machine; null (the default) for <see cref="SimulatedMachine.TryStart"/>.</summary>
    public Action<SimulatedMachine>? Restart { get; init; }
}
