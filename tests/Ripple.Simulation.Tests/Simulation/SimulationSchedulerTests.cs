using Ripple.Engine.Core;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Tests.Simulation;

public class SimulationSchedulerTests
{
    [Fact]
    public void Events_run_by_time_then_by_order_of_scheduling()
    {
        var scheduler = new SimulationScheduler();
        var ran = new List<string>();
        scheduler.Schedule(20, () => ran.Add("c"));
        scheduler.Schedule(10, () => ran.Add("a"));
        scheduler.Schedule(10, () => ran.Add("b"));
        scheduler.RunUntil(20);
        Assert.Equal(["a", "b", "c"], ran);
        Assert.Equal(20, scheduler.NowNs);
    }

    [Fact]
    public void Running_until_a_time_stops_there_and_keeps_later_events()
    {
        var scheduler = new SimulationScheduler();
        int ran = 0;
        scheduler.Schedule(100, () => ran++);
        scheduler.RunUntil(99);
        Assert.Equal(0, ran);
        Assert.Equal(99, scheduler.NowNs);
        Assert.Equal(100, scheduler.NextDueNs);
        scheduler.RunUntil(100);
        Assert.Equal(1, ran);
    }

    [Fact]
    public void A_random_mix_of_scheduling_moving_and_cancelling_runs_in_order()
    {
        var random = new DeterministicRandom(7);
        var scheduler = new SimulationScheduler();
        var ran = new List<long>();
        var events = new Recorded[500];
        for (int i = 0; i < events.Length; i++)
        {
            events[i] = new Recorded(scheduler, ran);
        }

        int cancelled = 0;
        for (int i = 0; i < 2_000; i++)
        {
            scheduler.ScheduleAt(random.NextInt64(10_000), events[random.NextInt32(events.Length)]);
        }

        foreach (Recorded recorded in events)
        {
            if (recorded.IsScheduled && random.NextBool(0.3))
            {
                scheduler.Cancel(recorded);
                cancelled++;
            }
        }

        int expected = scheduler.PendingCount;
        Assert.True(cancelled > 50 && expected > 200);
        scheduler.RunUntil(10_000);
        Assert.Equal(expected, ran.Count);
        Assert.Equal(ran.Order(), ran);
        Assert.Equal(0, scheduler.PendingCount);
    }

    [Fact]
    public void Scheduling_without_end_fails()
    {
        var scheduler = new SimulationScheduler(eventsMax: 3);
        for (int i = 0; i < 3; i++)
        {
            scheduler.Schedule(1, () => { });
        }

        Assert.Throws<InvalidOperationException>(() => scheduler.Schedule(1, () => { }));
    }

    private sealed class Recorded(SimulationScheduler scheduler, List<long> ran) : SimulationEvent
    {
        protected internal override void Run()
        {
            Assert.Equal(DueNs, scheduler.NowNs);
            ran.Add(DueNs);
        }
    }
}
