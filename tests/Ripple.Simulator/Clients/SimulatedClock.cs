using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The clocks and timers of the process running on a machine at construction: the machine's monotonic clock, and its wall clock.
/// Timers end with the process.
/// </summary>
internal sealed class SimulatedClock(SimulatedMachine machine) : TimeProvider
{
    private readonly int _life = machine.StartCount;

    /// <inheritdoc/>
    public override long TimestampFrequency => 1_000_000_000;

    /// <summary>True while the process runs that this clock belongs to.</summary>
    public bool IsRunning => machine.IsRunning && machine.StartCount == _life;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() =>
        DateTimeOffset.UnixEpoch.AddTicks(machine.UnixMicros * TimeSpan.TicksPerMicrosecond);

    /// <inheritdoc/>
    public override long GetTimestamp() => machine.ToMachineNs(machine.World.Scheduler.NowNs);

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new SimulatedTimer(this, machine, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }
}
