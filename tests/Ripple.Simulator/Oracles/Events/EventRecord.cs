using Ripple.Client;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles.Events;

/// <summary>An event that a program emitted, recorded before the client knew of it.</summary>
/// <param name="number">Its number in the world; the event carries it.</param>
/// <param name="emitter">The machine.</param>
/// <param name="x">Where it is.</param>
/// <param name="y">Where it is, in the other dimension.</param>
/// <param name="askedNs">When it was emitted, in simulated nanoseconds.</param>
/// <param name="hostLife">Which start of the host that was.</param>
/// <param name="connection">What stands for the emitter's connection now; null while it has none.</param>
internal sealed class EventRecord(
    int number, SimulatedMachine emitter, long x, long y, long askedNs, int hostLife, Func<object?> connection) : IViolationSubject
{
    private readonly int _life = emitter.StartCount;
    private readonly object? _connection = connection();

    public int Number => number;

    public long X => x;

    public long Y => y;

    public long AskedNs => askedNs;

    public int HostLife => hostLife;

    /// <summary>The process that emitted it.</summary>
    public string Process { get; } = $"{emitter} {emitter.StartCount}";

    /// <summary>When its emitter was told that it is accepted, or more; <see cref="long.MaxValue"/> before.</summary>
    public long AcceptedNs { get; set; } = long.MaxValue;

    /// <summary>How far its emitter was told it is; null before it was told anything.</summary>
    public EmitUntil? Told { get; set; }

    /// <summary>Whether it was refused.</summary>
    public bool IsRefused { get; set; }

    /// <summary>The name that it is shown under; null before it was shown or told.</summary>
    public RippleEventId? Id { get; set; }

    /// <summary>Whether the process that emitted it still runs.</summary>
    public bool IsEmitterAlive => emitter.IsRunning && emitter.StartCount == _life;

    /// <summary>Whether its emitter still has the connection on which it emitted it.</summary>
    public bool IsConnectionKept => IsEmitterAlive && _connection is not null && ReferenceEquals(_connection, connection());

    /// <inheritdoc/>
    public override string ToString() => $"event {number} of {emitter} at {x}, {y}";

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddMachine(emitter.Name);
}
