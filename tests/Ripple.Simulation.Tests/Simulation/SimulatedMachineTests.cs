using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Simulation;

public class SimulatedMachineTests
{
    [Fact]
    public void An_alarm_runs_at_its_simulated_time_whatever_the_machines_clock_shows()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        var ranAtNs = new List<long>();
        machine.OnStart = m =>
        {
            var alarm = new Alarm(() => ranAtNs.Add(world.Scheduler.NowNs));
            m.Core.ScheduleIn(alarm, 5 * Ms);
        };
        world.RunUntil(Second);
        machine.Start();
        world.RunFor(Second);
        Assert.Equal([Second + (5 * Ms)], ranAtNs);
        Assert.NotEqual(world.Scheduler.NowNs, machine.ToMachineNs(world.Scheduler.NowNs));
        Assert.Equal(world.Scheduler.NowNs, machine.ToSimulatedNs(machine.ToMachineNs(world.Scheduler.NowNs)));
    }

    [Fact]
    public void A_clock_that_drifts_lets_alarms_run_early_by_its_drift()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a", options: new SimulatedMachineOptions { ClockDriftPpm = 1_000, ClockOffsetNs = 0 });
        long ranAtNs = 0;
        machine.OnStart = m => m.Core.ScheduleIn(new Alarm(() => ranAtNs = world.Scheduler.NowNs), 10 * Second);
        machine.Start();
        world.RunUntil(11 * Second);
        Assert.InRange(ranAtNs, 9_990 * Ms - Ms, 9_990 * Ms + Ms);
    }

    [Fact]
    public void A_turn_takes_time_and_a_slow_machine_takes_more()
    {
        Assert.InRange(TurnsOf(slowness: 1), 150, 200);
        Assert.InRange(TurnsOf(slowness: 10), 15, 20);

        static long TurnsOf(double slowness)
        {
            var world = new SimulatedWorld(1);
            SimulatedMachine machine = world.AddNode("a", options: new SimulatedMachineOptions { Slowness = slowness });
            machine.OnStart = m => m.Core.Activate(new Endless());
            machine.Start();
            world.RunUntil(Ms);
            return machine.StepCount;
        }
    }

    [Fact]
    public void A_paused_machine_takes_no_turn_until_the_pause_is_over()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        var ranAtNs = new List<long>();
        machine.Start();
        world.RunUntil(Ms);
        machine.Pause(50 * Ms);
        machine.Post(() => ranAtNs.Add(world.Scheduler.NowNs));
        world.RunUntil(40 * Ms);
        Assert.Empty(ranAtNs);
        world.RunUntil(100 * Ms);
        Assert.Equal([51 * Ms], ranAtNs);
    }

    [Fact]
    public void A_pause_moves_an_alarm_that_was_due_in_it()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        long ranAtNs = 0;
        machine.OnStart = m => m.Core.ScheduleIn(new Alarm(() => ranAtNs = world.Scheduler.NowNs), 10 * Ms);
        machine.Start();
        machine.Pause(30 * Ms);
        world.RunUntil(Second);
        Assert.Equal(30 * Ms, ranAtNs);
    }

    [Fact]
    public void A_crash_ends_alarms_and_requests_and_a_restart_begins_anew()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        int started = 0;
        int alarms = 0;
        machine.OnStart = m =>
        {
            started++;
            m.Core.ScheduleIn(new Alarm(() => alarms++), 10 * Ms);
        };
        machine.Start();
        CoreLoop first = machine.Core;
        bool ran = false;
        machine.Post(() => ran = true);
        machine.Crash();
        Assert.False(machine.IsRunning);
        Assert.False(machine.Post(() => ran = true));
        world.RunFor(Second);
        Assert.False(ran);
        Assert.Equal(0, alarms);
        machine.Start();
        Assert.NotSame(first, machine.Core);
        world.RunFor(Second);
        Assert.Equal(2, started);
        Assert.Equal(1, alarms);
    }

    [Fact]
    public void What_completes_after_the_end_of_its_process_is_dropped()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        var ran = new List<string>();
        machine.Start();
        ICompletionQueue first = machine.Completions;
        machine.Schedule(Ms, () => ran.Add("work of the first"));
        machine.Crash();
        machine.Start();
        machine.Schedule(Ms, () => machine.Completions.Complete(() => ran.Add("completion of the second")));
        first.Complete(() => ran.Add("completion of the first"));
        world.RunFor(Second);
        Assert.Equal(["completion of the second"], ran);
    }

    [Fact]
    public void A_request_put_into_the_cores_own_door_by_an_action_is_run()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode("a");
        machine.Start();
        long ranAtNs = 0;
        world.Scheduler.Schedule(Ms, () => machine.Core.Requests.TryPost(new ActionRequest(() => ranAtNs = world.Scheduler.NowNs)));
        world.RunFor(Second);
        Assert.Equal(Ms, ranAtNs);
    }

    [Fact]
    public void Requests_beyond_the_cores_door_wait_outside_in_order()
    {
        var world = new SimulatedWorld(1);
        SimulatedMachine machine = world.AddNode(
            "a", options: new SimulatedMachineOptions { Core = new CoreOptions { RequestsMax = 4, AlarmsMax = 4, IoPerClassMax = 4 } });
        machine.Start();
        var ran = new List<int>();
        for (int i = 0; i < 100; i++)
        {
            int number = i;
            machine.Post(() => ran.Add(number));
        }

        world.RunFor(Second);
        Assert.Equal(Enumerable.Range(0, 100), ran);
    }

    [Fact]
    public void An_exception_out_of_a_core_is_a_violation_that_names_the_machine_and_how_to_replay_it()
    {
        var world = new SimulatedWorld(42);
        SimulatedMachine machine = world.AddNode("the-machine");
        machine.Start();
        machine.Post(() => throw new InvalidOperationException("the core broke"));
        InvariantViolationException violation = Assert.Throws<InvariantViolationException>(() => world.RunUntil(Second));
        Assert.Contains("the-machine", violation.Message, StringComparison.Ordinal);
        Assert.Contains("the core broke", violation.Message, StringComparison.Ordinal);
        Assert.Contains(
            "dotnet run -c Release --project tests/Ripple.Simulation -- --seeds 42..42", violation.Message, StringComparison.Ordinal);
    }

    private sealed class Endless : Agent
    {
        protected internal override int DoWork() => 1;
    }
}
