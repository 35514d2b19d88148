using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>A timer of a simulated process, which a paused process serves late and a dead one never.</summary>
internal sealed class SimulatedTimer(SimulatedClock clock, SimulatedMachine machine, TimerCallback callback, object? state)
    : SimulationEvent, ITimer
{
    private TimeSpan _period = Timeout.InfiniteTimeSpan;

    /// <inheritdoc/>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        _period = period;
        if (dueTime < TimeSpan.Zero)
        {
            machine.World.Scheduler.Cancel(this);
            return true;
        }

        long dueNs = clock.GetTimestamp() + (dueTime.Ticks * TimeSpan.NanosecondsPerTick);
        machine.World.Scheduler.ScheduleAt(machine.ToSimulatedNs(dueNs), this);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose() => machine.World.Scheduler.Cancel(this);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    /// <inheritdoc/>
    protected internal override void Run()
    {
        if (!clock.IsRunning)
        {
            return;
        }

        if (machine.PausedNs is var pausedNs and > 0)
        {
            machine.World.Scheduler.ScheduleAt(machine.World.Scheduler.NowNs + pausedNs, this);
            return;
        }

        if (_period > TimeSpan.Zero)
        {
            Change(_period, _period);
        }

        callback(state);
        machine.WakeIfRequested();
    }
}
