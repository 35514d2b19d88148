using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Runs;

/// <summary>How one seed went.</summary>
internal sealed record RunResult
{
    private static readonly SortedDictionary<string, long> NoFaults = [];

    public required ulong Seed { get; init; }

    /// <summary>The message of the first violation, with the command that replays it; null when there was none.</summary>
    public string? Violation { get; init; }

    /// <summary>The checker that found it; null when there was none.</summary>
    public string? Checker { get; init; }

    /// <summary>What the violation is about.</summary>
    public ViolationSubject Subject { get; init; } = new();

    /// <summary>How many faults of each kind there were.</summary>
    public SortedDictionary<string, long> Faults { get; init; } = NoFaults;

    /// <summary>How many releases were committed.</summary>
    public long Committed { get; init; }

    /// <summary>How often a release was applied, over all nodes.</summary>
    public long Applied { get; init; }

    /// <summary>How many waits ended, in whatever way.</summary>
    public long Waits { get; init; }

    /// <summary>How often a member became a leaf.</summary>
    public long Leaves { get; init; }

    /// <summary>How many repairs members sent to members.</summary>
    public long PeerRepairs { get; init; }

    /// <summary>How many datagrams and frames were forged.</summary>
    public long Forged { get; init; }

    /// <summary>How many of them a receiver authenticated and decoded.</summary>
    public long ForgedOpened { get; init; }

    /// <summary>How many of them reached a table, an intake or a window as something new.</summary>
    public long ForgedNew { get; init; }

    /// <summary>How far simulated time came.</summary>
    public long SimulatedNs { get; init; }

    /// <summary>The hash of all state at the end.</summary>
    public ulong StateHash { get; init; }

    /// <summary>What happened, for people; null unless asked for.</summary>
    public string? Log { get; init; }

    /// <summary>The result of a world that stands at its end, or where it was violated.</summary>
    public static RunResult Of(
        SimulatedWorld world, InvariantViolationException? violation, long committed, long applied, string? log = null) => new()
        {
            Seed = world.Seed,
            Violation = violation?.Message,
            Checker = violation?.Checker,
            Subject = violation?.Subject ?? new ViolationSubject(),
            Faults = world.Faults.ToSorted(),
            Committed = committed,
            Applied = applied,
            SimulatedNs = world.Scheduler.NowNs,
            StateHash = world.Hasher.Compute(),
            Log = log,
        };
}
