using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Simulation;
using static Ripple.Simulation.Tests.World;

namespace Ripple.Simulation.Tests.Clients;

public sealed class SimulatedClientSchedulerTests
{
    private readonly SimulatedWorld _world = new(1);
    private readonly SimulatedMachine _machine;
    private readonly SimulatedClientScheduler _scheduler;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public SimulatedClientSchedulerTests()
    {
        _machine = _world.AddNode("node");
        _machine.Start();
        _scheduler = new SimulatedClientScheduler(_machine, new DeterministicRandom(1));
    }

    [Fact]
    public void Work_runs_later_in_an_event_of_its_own()
    {
        int runs = 0;
        _scheduler.Run(() => { runs++; });
        Task<int> asked = _scheduler.Run(() => ++runs, Token);
        Assert.Equal(0, runs);

        _world.RunFor(10 * Ms);

        Assert.Equal(2, runs);
        Assert.True(asked.IsCompletedSuccessfully);
    }

    [Fact]
    public void A_delay_that_passes_or_is_canceled_continues_on_the_thread_of_the_simulation()
    {
        var threads = new List<(string How, int Thread)>();
        using var canceled = new CancellationTokenSource();
        Task passes = WaitAsync(TimeSpan.FromMilliseconds(2), Token);
        Task ends = WaitAsync(TimeSpan.FromHours(1), canceled.Token);

        _world.Scheduler.Schedule(5 * Ms, canceled.Cancel);
        _world.RunFor(10 * Ms);

        Assert.True(passes.IsCompletedSuccessfully);
        Assert.True(ends.IsCompletedSuccessfully);
        Assert.Equal([("passed", Environment.CurrentManagedThreadId), ("canceled", Environment.CurrentManagedThreadId)], threads);

        async Task WaitAsync(TimeSpan delay, CancellationToken token)
        {
            string how = "passed";
            try
            {
                await _scheduler.DelayAsync(delay, token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                how = "canceled";
            }

            threads.Add((how, Environment.CurrentManagedThreadId));
        }
    }

    [Fact]
    public void A_task_continues_inside_the_call_that_completes_it_until_it_resumes()
    {
        var steps = new List<string>();
        var signal = new TaskCompletionSource(_scheduler.Completions);
        Task waiting = WaitAsync();

        _world.Scheduler.Schedule(Ms, () =>
        {
            signal.SetResult();
            steps.Add("signalled");
        });
        _world.RunFor(10 * Ms);

        Assert.True(waiting.IsCompletedSuccessfully);
        Assert.Equal(["continued", "signalled", "resumed"], steps);

        async Task WaitAsync()
        {
            await signal.Task.ConfigureAwait(false);
            steps.Add("continued");
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            steps.Add("resumed");
        }
    }

    [Fact]
    public void What_was_under_way_ends_with_the_process()
    {
        int runs = 0;
        _scheduler.Run(() => { runs++; });
        using ITimer timer = _scheduler.Clock.CreateTimer(_ => runs++, null, TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
        _machine.Crash();
        _machine.Start();

        _world.RunFor(Second);

        Assert.Equal(0, runs);
    }

    [Fact]
    public void A_paused_process_does_nothing()
    {
        var runAtNs = new List<long>();
        _scheduler.Run(() => runAtNs.Add(_world.Scheduler.NowNs));
        using ITimer timer = _scheduler.Clock.CreateTimer(
            _ => runAtNs.Add(_world.Scheduler.NowNs), null, TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
        _machine.Pause(Second);

        _world.RunFor(2 * Second);

        Assert.Equal(2, runAtNs.Count);
        Assert.All(runAtNs, t => Assert.True(t >= Second));
    }

    [Fact]
    public void Blocking_work_delays_what_follows()
    {
        long resumedNs = 0;
        _scheduler.Run(async () =>
        {
            _scheduler.Block(Second);
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            resumedNs = _world.Scheduler.NowNs;
            return true;
        }, Token);

        _world.RunFor(2 * Second);

        Assert.True(resumedNs >= Second);
    }

    [Fact]
    public void Delays_and_limits_use_simulated_time()
    {
        using var limit = new CancellationTokenSource();
        _scheduler.CancelAfter(limit, TimeSpan.FromSeconds(5));
        Task delay = Task.Delay(TimeSpan.FromSeconds(3), _scheduler.Clock, limit.Token);
        Task longer = Task.Delay(TimeSpan.FromSeconds(9), _scheduler.Clock, limit.Token);

        _world.RunFor(4 * Second);
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.False(longer.IsCompleted);
        _world.RunFor(2 * Second);

        Assert.True(longer.IsCanceled);
    }

    [Fact]
    public void Work_on_another_thread_is_a_violation()
    {
        var other = new Thread(() => _scheduler.Run(() => { }));
        other.Start();
        other.Join();
        _scheduler.Run(() => { });

        InvariantViolationException e = Assert.Throws<InvariantViolationException>(() => _world.RunFor(10 * Ms));
        Assert.Contains("another thread", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_semaphore_is_entered_once_it_is_free_and_not_after_the_limit()
    {
        using var gate = new SemaphoreSlim(1, 1);
        using var canceling = new CancellationTokenSource();
        Task<bool> first = _scheduler.EnterAsync(gate, Timeout.InfiniteTimeSpan, Token);
        Task<bool> early = _scheduler.EnterAsync(gate, TimeSpan.FromMilliseconds(5), Token);
        Task<bool> canceled = _scheduler.EnterAsync(gate, TimeSpan.FromSeconds(5), canceling.Token);
        Task<bool> patient = _scheduler.EnterAsync(gate, TimeSpan.FromSeconds(5), Token);
        await canceling.CancelAsync();
        _world.RunFor(50 * Ms);

        Assert.True(first.IsCompleted && early.IsCompleted);
        Assert.True(await first);
        Assert.False(await early);
        Assert.True(canceled.IsCanceled);
        Assert.False(patient.IsCompleted);
        gate.Release();
        _world.RunFor(50 * Ms);

        Assert.True(patient.IsCompleted);
        Assert.True(await patient);
    }
}
