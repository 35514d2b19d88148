using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class AlarmQueueTests
{
    private readonly CoreLoop _core = Cores.Make();
    private readonly List<string> _rang = [];

    [Fact]
    public void Alarms_ring_in_order_of_time_and_ties_in_order_of_scheduling()
    {
        Alarm[] alarms = [.. "abcdef".Select(name => Named(name.ToString()))];
        long[] dueNs = [30, 10, 20, 10, 30, 10];
        for (int i = 0; i < alarms.Length; i++)
        {
            _core.Alarms.Schedule(alarms[i], dueNs[i]);
        }

        Assert.Equal(10, _core.NextDueNs);
        _core.DoWork(9);
        Assert.Empty(_rang);
        _core.DoWork(20);
        Assert.Equal(["b", "d", "f", "c"], _rang);
        _core.DoWork(30);
        Assert.Equal(["b", "d", "f", "c", "a", "e"], _rang);
        Assert.Equal(long.MaxValue, _core.NextDueNs);
    }

    [Fact]
    public void Scheduling_again_moves_an_alarm_and_puts_it_last_among_ties()
    {
        Alarm a = Named("a");
        Alarm b = Named("b");
        _core.Alarms.Schedule(a, 10);
        _core.Alarms.Schedule(b, 20);
        _core.Alarms.Schedule(a, 20);
        Assert.Equal(2, _core.Alarms.Count);
        _core.DoWork(20);
        Assert.Equal(["b", "a"], _rang);
    }

    [Fact]
    public void Scheduling_no_later_only_moves_forward()
    {
        Alarm a = Named("a");
        _core.Alarms.ScheduleNoLater(a, 20);
        _core.Alarms.ScheduleNoLater(a, 30);
        Assert.Equal(20, a.DueNs);
        _core.Alarms.ScheduleNoLater(a, 10);
        Assert.Equal(10, a.DueNs);
    }

    [Fact]
    public void An_alarm_may_cancel_another_that_is_due_and_schedule_itself()
    {
        Alarm victim = Named("victim");
        Alarm? self = null;
        self = new Alarm(() =>
        {
            _rang.Add("self");
            Assert.False(self!.IsScheduled);
            _core.Alarms.Cancel(victim);
            _core.ScheduleIn(self, 5);
        });
        _core.Alarms.Schedule(self, 10);
        _core.Alarms.Schedule(victim, 10);
        _core.DoWork(10);
        Assert.Equal(["self"], _rang);
        Assert.False(victim.IsScheduled);
        Assert.Equal(15, self.DueNs);
        _core.Alarms.Cancel(self);
        _core.Alarms.Cancel(self);
        Assert.Equal(0, _core.Alarms.Count);
    }

    [Fact]
    public void An_alarm_that_never_comes_is_not_due_at_once()
    {
        _core.DoWork(1_000);
        _core.ScheduleIn(Named("never"), long.MaxValue);
        _core.DoWork(2_000);
        Assert.Empty(_rang);
        Assert.Equal(long.MaxValue, _core.NextDueNs);
    }

    [Fact]
    public void One_alarm_more_than_the_capacity_says_so_and_the_others_stay()
    {
        CoreLoop core = Cores.Make(new CoreOptions { AlarmsMax = 2 });
        core.Alarms.Schedule(Named("a"), 1);
        core.Alarms.Schedule(Named("b"), 2);
        Alarm third = Named("c");
        Assert.Contains(
            "AlarmsMax", Assert.Throws<InvalidOperationException>(() => core.Alarms.Schedule(third, 3)).Message, StringComparison.Ordinal);
        Assert.False(third.IsScheduled);
        core.DoWork(5);
        Assert.Equal(["a", "b"], _rang);
    }

    [Theory]
    [InlineData(1UL)]
    [InlineData(2UL)]
    [InlineData(3UL)]
    public void The_queue_agrees_with_a_sorted_list(ulong seed)
    {
        var random = new DeterministicRandom(seed);
        var model = new List<(long DueNs, long Order, int Alarm)>();
        var rang = new List<int>();
        Alarm[] alarms = [.. Enumerable.Range(0, 200).Select(i => new Alarm(() => rang.Add(i)))];
        long order = 0;
        long nowNs = 0;
        for (int step = 0; step < 20_000; step++)
        {
            int i = random.NextInt32(alarms.Length);
            switch (random.NextInt32(10))
            {
                case < 6:
                    long dueNs = nowNs + random.NextInt32(50);
                    model.RemoveAll(entry => entry.Alarm == i);
                    model.Add((dueNs, order++, i));
                    _core.Alarms.Schedule(alarms[i], dueNs);
                    break;
                case < 8:
                    model.RemoveAll(entry => entry.Alarm == i);
                    _core.Alarms.Cancel(alarms[i]);
                    break;
                default:
                    nowNs += random.NextInt32(20);
                    model.Sort();
                    int[] due = [.. model.TakeWhile(entry => entry.DueNs <= nowNs).Select(entry => entry.Alarm)];
                    model.RemoveRange(0, due.Length);
                    rang.Clear();
                    _core.DoWork(nowNs);
                    Assert.Equal(due, rang);
                    break;
            }

            Assert.Equal(model.Count, _core.Alarms.Count);
            Assert.Equal(model.Count == 0 ? long.MaxValue : model.Min(entry => entry.DueNs), _core.Alarms.NextDueNs);
        }
    }

    [Fact]
    public void Scheduling_cancelling_and_ringing_allocate_nothing()
    {
        int rang = 0;
        Alarm[] alarms = [.. Enumerable.Range(0, 100).Select(_ => new Alarm(() => rang++))];
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (int i = 0; i < 5_000; i++)
            {
                _core.ScheduleIn(alarms[i % 100], 1 + (i % 7));
                _core.Alarms.Cancel(alarms[i * 31 % 100]);
                _core.DoWork(_core.NowNs + 1);
            }
        }));
        Assert.True(rang > 0);
    }

    private Alarm Named(string name) => new(() => _rang.Add(name));
}
