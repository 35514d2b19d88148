using Ripple.Engine.Core;
using Ripple.Transports.Running;

namespace Ripple.Transports.Tests.Running;

public sealed class CoreRunnerTests
{
    public static TheoryData<string> Kinds => CoreOnThread.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task No_wake_up_is_lost_while_the_core_falls_asleep_again_and_again(string kind)
    {
        using var core = new CoreOnThread(kind);
        // Each asks only after its answer came, so that the core is on its way to sleep at nearly every question.
        Task[] askers = [.. Enumerable.Range(0, 4).Select(asker => Task.Run(async () =>
        {
            for (int i = 0; i < 3_000; i++)
            {
                Assert.Equal(i, await core.Runner.RunAsync(() => i));
            }
        }))];

        await CoreOnThread.Soon(Task.WhenAll(askers));
        Assert.Equal(12_000, core.Loop.Counters.Requests);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Threads_that_post_without_waiting_lose_nothing_and_keep_their_order(string kind)
    {
        const int producers = 4;
        const int each = 20_000;
        using var core = new CoreOnThread(kind, new CoreOptions { RequestsMax = 64 });
        int[] next = new int[producers];
        int misplaced = 0;
        Task[] posting = [.. Enumerable.Range(0, producers).Select(producer => Task.Run(() =>
        {
            for (int i = 0; i < each; i++)
            {
                int number = i;
                core.Runner.Complete(() => misplaced += next[producer]++ == number ? 0 : 1);
            }
        }))];

        await CoreOnThread.Soon(Task.WhenAll(posting));
        Assert.Equal(0, await CoreOnThread.Soon(core.Runner.RunAsync(() => misplaced)));
        Assert.All(next, count => Assert.Equal(each, count));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_idle_core_takes_no_turns(string kind)
    {
        using var core = new CoreOnThread(kind);
        Assert.InRange(await core.TurnsWhileAnotherWorksAsync(), 1, 10);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_alarm_ends_the_sleep_when_it_is_due_and_not_before(string kind)
    {
        var rang = new TaskCompletionSource<(long DueNs, long NowNs)>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var core = new CoreOnThread(kind);
        long turns = await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            long dueNs = core.Loop.NowNs + 30_123_456;
            core.Loop.Alarms.Schedule(new Alarm(() => rang.SetResult((dueNs, MonotonicClock.Instance.NowNs))), dueNs);
            return core.Loop.Counters.Turns;
        }));

        (long due, long now) = await CoreOnThread.Soon(rang.Task);
        Assert.True(now >= due);
        Assert.InRange(core.Loop.Counters.Turns - turns, 1, 10);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task An_exception_out_of_the_core_stops_it_and_is_told_once(string kind)
    {
        int told = 0;
        var loop = new CoreLoop(new CoreOptions(), seed: 1);
        using var runner = new CoreRunner(
            loop, new CoreRunnerOptions { Wait = CoreOnThread.SkipUnlessHere(Enum.Parse<WaitKind>(kind)), OnFailed = _ => told++ });
        runner.Start();
        Assert.True(loop.Requests.TryPost(new ActionRequest(() => throw new InvalidOperationException("A broken invariant."))));
        await CoreOnThread.Soon(runner.Ended);

        Assert.Equal(1, told);
        Assert.Equal("A broken invariant.", runner.Failure!.Message);
        Exception late = await Assert.ThrowsAsync<ObjectDisposedException>(() => runner.RunAsync(() => 1));
        Assert.Contains("A broken invariant.", late.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_a_caller_s_function_throws_fails_its_task_alone(string kind)
    {
        using var core = new CoreOnThread(kind);
        await Assert.ThrowsAsync<FormatException>(() => core.Runner.RunAsync(() => throw new FormatException()));
        Assert.Equal(7, await CoreOnThread.Soon(core.Runner.RunAsync(() => 7)));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_core_can_be_disposed_of_from_inside_its_own_callback(string kind)
    {
        // One request a turn: what is posted behind the disposal would be the next turn's.
        var core = new CoreOnThread(kind, new CoreOptions { IoQuantum = 1 });
        bool hasRun = false;
        (bool wasEnded, long turns) = await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            Assert.True(core.Loop.Requests.TryPost(new ActionRequest(() => hasRun = true)));
            core.Runner.Dispose();
            return (core.Runner.Ended.IsCompleted, core.Loop.Counters.Turns);
        }));
        await CoreOnThread.Soon(core.Runner.Ended);

        // The callback was not waited for by itself; its turn was the last.
        Assert.False(wasEnded);
        Assert.False(hasRun);
        Assert.Equal(turns + 1, core.Loop.Counters.Turns);
        Assert.Null(core.Runner.Failure);
        core.Dispose();
        core.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => core.Runner.RunAsync(() => 1));
        Assert.Equal(turns + 1, core.Loop.Counters.Turns);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Stopping_ends_what_waits_for_the_core(string kind)
    {
        // One request a turn: the second is left when the first stops the core.
        var core = new CoreOnThread(kind, new CoreOptions { IoQuantum = 1 });
        Task<Task<int>> waiting = core.Runner.RunAsync(() =>
        {
            Task<int> next = core.Runner.RunAsync(() => 1);
            core.Runner.Stop();
            return next;
        });

        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await CoreOnThread.Soon(await CoreOnThread.Soon(waiting)));
        core.Dispose();
        core.Runner.Complete(() => Assert.Fail("Nothing runs after the end."));
        core.Runner.Wake();
    }

    [Fact]
    public async Task Waking_and_stopping_at_once_harm_nobody()
    {
        for (int i = 0; i < 200; i++)
        {
            var core = new CoreOnThread(WaitKind.Auto);
            var isAtIt = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            Task waking = Task.Run(
                () =>
                {
                    while (!core.Runner.Ended.IsCompleted)
                    {
                        core.Runner.Wake();
                        isAtIt.TrySetResult();
                    }

                    core.Runner.Wake();
                },
                TestContext.Current.CancellationToken);
            await CoreOnThread.Soon(isAtIt.Task);
            core.Dispose();
            // Fails when a call to wake threw.
            await CoreOnThread.Soon(waking);
            Assert.Null(core.Runner.Failure);
            await Assert.ThrowsAsync<ObjectDisposedException>(() => core.Runner.RunAsync(() => i));
        }
    }

    [Fact]
    public void A_runner_starts_once()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        Assert.Throws<InvalidOperationException>(core.Runner.Start);
    }

    [Fact]
    public void A_runner_that_never_started_ends_too()
    {
        var runner = new CoreRunner(new CoreLoop(new CoreOptions(), 1));
        Assert.True(runner.IsOnCore);
        runner.Dispose();
        Assert.True(runner.Ended.IsCompleted);
        Assert.Throws<InvalidOperationException>(runner.Start);
    }

    [Fact]
    public async Task The_core_thread_does_not_wait_at_its_own_door()
    {
        using var core = new CoreOnThread(WaitKind.Auto);
        Assert.False(core.Runner.IsOnCore);
        Assert.True(await CoreOnThread.Soon(core.Runner.RunAsync(() => core.Runner.IsOnCore)));
        await Assert.ThrowsAsync<InvalidOperationException>(() => core.Runner.RunAsync(() => core.Runner.Complete(() => { })));
    }
}
