using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

public sealed class CoreLoopTests
{
    [Fact]
    public void An_idle_core_does_nothing_and_has_nothing_due()
    {
        CoreLoop core = Cores.Make();
        Assert.Equal(0, core.DoWork(5));
        Assert.Equal(5, core.NowNs);
        Assert.Equal(long.MaxValue, core.NextDueNs);
    }

    [Fact]
    public void Time_never_goes_back()
    {
        CoreLoop core = Cores.Make();
        core.DoWork(100);
        core.DoWork(50);
        Assert.Equal(100, core.NowNs);
    }

    [Fact]
    public void A_turn_runs_sources_requests_alarms_packets_and_agents_in_this_order()
    {
        CoreLoop core = Cores.Make();
        var done = new List<string>();
        var handler = new RecordingHandler { OnNext = () => done.Add("packet") };
        core.Add(new Source(() =>
        {
            done.Add("source");
            core.Receive(PacketClass.Data, 1, handler);
            return 1;
        }));
        core.Activate(new Agent(() =>
        {
            done.Add("agent");
            return 0;
        }));
        core.Alarms.Schedule(new Alarm(() => done.Add("alarm")), 1);
        core.Requests.TryPost(new ActionRequest(() => done.Add("request")));

        Assert.Equal(4, core.DoWork(1));
        Assert.Equal(["source", "request", "alarm", "packet", "agent"], done);
        Assert.Equal((1, 1, 1, 1), (core.Counters.Turns, core.Counters.Requests, core.Counters.Alarms, core.Counters.Packets));
    }

    [Fact]
    public void A_removed_source_is_not_asked_again()
    {
        CoreLoop core = Cores.Make();
        int asked = 0;
        var source = new Source(() => asked++);
        core.Add(source);
        core.DoWork(1);
        core.Remove(source);
        core.DoWork(2);
        Assert.Equal(1, asked);
    }

    [Fact]
    public void An_agent_is_called_while_it_finds_work_and_costs_nothing_after()
    {
        CoreLoop core = Cores.Make();
        int left = 3;
        int calls = 0;
        var agent = new Agent(() =>
        {
            calls++;
            return left-- > 0 ? 1 : 0;
        });
        core.Activate(agent);
        core.Activate(agent);
        for (int turn = 0; turn < 10; turn++)
        {
            Assert.Equal(turn < 4 ? core.NowNs : long.MaxValue, core.NextDueNs);
            core.DoWork(turn);
        }

        Assert.Equal(4, calls);
        core.Activate(agent);
        core.DoWork(20);
        Assert.Equal(5, calls);
    }

    [Fact]
    public void An_activation_from_inside_the_agent_s_own_call_is_not_lost()
    {
        CoreLoop core = Cores.Make();
        int calls = 0;
        Agent? agent = null;
        agent = new Agent(() =>
        {
            if (++calls == 1)
            {
                core.Activate(agent!);
            }

            return 0;
        });
        core.Activate(agent);
        core.DoWork(1);
        core.DoWork(2);
        core.DoWork(3);
        Assert.Equal(2, calls);
    }

    [Fact]
    public void Agents_may_stop_themselves_and_others_inside_the_call()
    {
        CoreLoop core = Cores.Make();
        var calls = new List<string>();
        Agent? first = null;
        Agent? last = null;
        first = new Agent(() =>
        {
            calls.Add("first");
            first!.End();
            last!.End();
            return 1;
        });
        var middle = new Agent(() =>
        {
            calls.Add("middle");
            return 1;
        });
        last = new Agent(() =>
        {
            calls.Add("last");
            return 1;
        });
        core.Activate(first);
        core.Activate(middle);
        core.Activate(last);
        core.DoWork(1);
        core.DoWork(2);
        core.Activate(first);
        core.Activate(last);
        core.DoWork(3);
        Assert.Equal(["first", "middle", "middle", "middle"], calls);
    }

    [Fact]
    public void Agents_that_only_activate_each_other_do_not_hold_up_the_turn()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoQuantum = 8, IsChecked = true });
        Agent? ping = null;
        Agent? pong = null;
        ping = new Agent(() =>
        {
            core.Activate(pong!);
            return 0;
        });
        pong = new Agent(() =>
        {
            core.Activate(ping);
            return 0;
        });
        int calls = 0;
        core.Activate(new Agent(() =>
        {
            calls++;
            return 1;
        }));
        core.Activate(ping);
        for (int turn = 1; turn <= 5; turn++)
        {
            core.DoWork(turn);
            Assert.Equal(turn, calls);
            Assert.Equal(turn, core.NextDueNs);
        }
    }

    [Fact]
    public void The_quantum_shrinks_while_alarms_lag_and_recovers()
    {
        const int each = 64;
        CoreLoop core = Cores.Make(new CoreOptions { IoQuantum = 128, AlarmLagNsMax = 1_000 });
        int asked = 0;
        core.Add(new Source(max =>
        {
            asked = max;
            return 0;
        }));
        var alarm = new Alarm(() => { });
        long nowNs = 0;
        core.DoWork(nowNs);
        Assert.Equal(128, asked);

        int[] lagging = [64, 32, 16, 16, 16];
        foreach (int expected in lagging)
        {
            core.Alarms.Schedule(alarm, nowNs);
            nowNs += 2_000;
            core.DoWork(nowNs);
            Assert.Equal(expected, asked);
        }

        Assert.Equal(2_000, core.Counters.AlarmLagNsMax);
        for (int turn = 1; turn <= each; turn++)
        {
            core.Alarms.Schedule(alarm, nowNs);
            core.DoWork(++nowNs);
            Assert.Equal(Math.Min(128, 16 + (16 * turn)), asked);
        }
    }

    [Fact]
    public void A_quantum_of_packets_leaves_the_rest_for_the_next_turn()
    {
        CoreLoop core = Cores.Make(new CoreOptions { IoQuantum = 4, IsChecked = true });
        var handler = new RecordingHandler();
        for (byte i = 0; i < 10; i++)
        {
            core.Receive(PacketClass.Data, i, handler);
        }

        core.DoWork(1);
        Assert.Equal(4, handler.Contents.Count);
        Assert.Equal(1, core.NextDueNs);
        core.Receive(PacketClass.Control, 99, handler);
        core.DoWork(2);
        Assert.Equal(99, handler.Contents[4]);
    }

    [Fact]
    public void An_exception_leaves_the_turn()
    {
        CoreLoop core = Cores.Make();
        core.Requests.TryPost(new ActionRequest(() => throw new FormatException("broken")));
        Assert.Throws<FormatException>(() => core.DoWork(1));
    }

    private sealed class Source(Func<int, int> drain) : IIoSource
    {
        public Source(Func<int> drain)
            : this(_ => drain())
        {
        }

        public bool HasWaiting(PortLane lane) => false;

        public int Drain(IoQueue queue, int packetsMax) => drain(packetsMax);
    }

    private sealed class Agent(Func<int> work) : Engine.Core.Agent
    {
        public void End() => Stop();

        protected internal override int DoWork() => work();
    }
}
