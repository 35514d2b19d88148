using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Events;

/// <summary>
/// One process that subscribes, as the world sees it: since when nobody can have taken it for gone, and what it was shown.
/// </summary>
/// <param name="machine">Its machine.</param>
internal sealed class SubscriberRecord(SimulatedMachine machine) : IViolationSubject
{
    private readonly int _life = machine.StartCount;

    public SimulatedMachine Machine => machine;

    /// <summary>Its subscriptions, also those that it ended.</summary>
    public List<SubscriptionRecord> Subscriptions { get; } = [];

    /// <summary>Since when it was never away for as long as a host waits for it.</summary>
    public long SureSinceNs { get; set; } = long.MaxValue;

    /// <summary>When it was last joined, and not disturbed; 0 for never.</summary>
    public long LastSureNs { get; set; }

    /// <summary>How many events it was told that it lost, by each start of the host.</summary>
    public SortedDictionary<int, long> ToldByHost { get; } = [];

    /// <summary>Whether the process still runs.</summary>
    public bool IsAlive => machine.IsRunning && machine.StartCount == _life;

    /// <inheritdoc/>
    public override string ToString() => machine.Name;

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddMachine(machine.Name);
}

/// <summary>A subscription of a process.</summary>
/// <param name="subscriber">The process.</param>
/// <param name="box">Its ranges.</param>
internal sealed class SubscriptionRecord(SubscriberRecord subscriber, EventBox box)
{
    public SubscriberRecord Subscriber => subscriber;

    public EventBox Box => box;

    /// <summary>When it was first shown an event: a host has it since then at the latest.</summary>
    public long ProvedNs { get; set; } = long.MaxValue;

    /// <summary>The program, or the host, ended it.</summary>
    public bool IsOver { get; set; }

    /// <summary>The events that it was shown, by their numbers in the world.</summary>
    public HashSet<int> Seen { get; } = [];

    /// <summary>The last emitted of those that it was shown of each process.</summary>
    public Dictionary<string, EventRecord> Newest { get; } = [];

    /// <summary>Whether an event must be shown to it, unless it is away for too long from now on.</summary>
    public bool Wants(EventRecord emitted) =>
        !IsOver
        && subscriber.IsAlive
        && box.Has(emitted.X, emitted.Y)
        && ProvedNs <= emitted.AskedNs
        && subscriber.SureSinceNs <= emitted.AskedNs;
}
