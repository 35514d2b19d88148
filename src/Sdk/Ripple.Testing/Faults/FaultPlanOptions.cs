using Ripple.Testing.Simulation;

namespace Ripple.Testing.Faults;

/// <summary>How much goes wrong in a run.</summary>
internal sealed record FaultPlanOptions
{
    /// <summary>How long the run is, in simulated nanoseconds. Default 60 s.</summary>
    public long DurationNs { get; init; } = 60_000_000_000;

    /// <summary>When the first fault may begin. Default 2 s.</summary>
    public long QuietStartNs { get; init; } = 2_000_000_000;

    /// <summary>How long before the end every fault is over, so that what must happen at last can. Default 20 s.</summary>
    public long QuietEndNs { get; init; } = 20_000_000_000;

    /// <summary>The mean time between the beginnings of faults. Default 700 ms.</summary>
    public long IntervalNs { get; init; } = 700_000_000;

    /// <summary>The longest a fault lasts; a crashed machine is down for at most this long. Default 8 s.</summary>
    public long LongestNs { get; init; } = 8_000_000_000;

    /// <summary>The most nodes down at one time; a crash beyond it does not happen. Default 3.</summary>
    public int NodesDownMax { get; init; } = 3;

    /// <summary>The most hosts down at one time; a crash beyond it does not happen. Default 1.</summary>
    public int HostsDownMax { get; init; } = 1;

    /// <summary>
    /// What a plan may do, and how likely each is: a kind that stands here twice is twice as likely. Restarts follow crashes by themselves.
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
    /// Ends the process of a machine, with the loss of its power or without; null (default) for <see cref="SimulatedMachine.Crash"/>.
    /// </summary>
    public Action<SimulatedMachine, bool>? Crash { get; init; }

    /// <summary>Starts the process of a machine again; null (default) for <see cref="SimulatedMachine.Start"/>.</summary>
    public Action<SimulatedMachine>? Restart { get; init; }
}
