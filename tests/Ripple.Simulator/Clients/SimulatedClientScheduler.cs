using Ripple.Client.Scheduling;
using Ripple.Engine.Core;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The thread pool of one simulated process: each piece of work is an event of its own, after a latency drawn from the seed, so that pieces
/// overtake one another as they do on threads. Tasks continue inside the call that completes them, and leave it at
/// <see cref="ResumeAsync"/>. The work of a process ends with it. All of it runs on the simulation's thread.
/// </summary>
internal sealed class SimulatedClientScheduler : IClientScheduler
{
    private const long LatencyNsMin = 2_000;
    private const long LatencyNsRange = 60_000;
    private const double LateShare = 0.01;
    private const long LateNsRange = 5_000_000;
    private const long GateNs = 100_000;
    private readonly SimulatedMachine _machine;
    private readonly DeterministicRandom _random;
    private readonly int _threadId = Environment.CurrentManagedThreadId;
    private volatile bool _hasEscaped;
    private long _blockedNs;

    /// <param name="machine">The machine; a process is running or starting on it.</param>
    /// <param name="random">Draws latencies.</param>
    public SimulatedClientScheduler(SimulatedMachine machine, DeterministicRandom random)
    {
        _machine = machine;
        _random = random;
        Clock = new SimulatedClock(machine);
    }

    /// <inheritdoc/>
    public TimeProvider Clock { get; }

    /// <inheritdoc/>
    public TaskCreationOptions Completions => TaskCreationOptions.None;

    /// <summary>The number of pieces of work that have run.</summary>
    public long RunCount { get; private set; }

    /// <summary>Lets the work running now take this long: what it awaits next resumes so much later.</summary>
    public void Block(long durationNs) => _blockedNs += durationNs;

    /// <inheritdoc/>
    public ValueTask ResumeAsync()
    {
        long blockedNs = _blockedNs;
        _blockedNs = 0;
        var resumed = new TaskCompletionSource();
        Later(resumed.SetResult, blockedNs);
        return new ValueTask(resumed.Task);
    }

    /// <inheritdoc/>
    public void Queue(IThreadPoolWorkItem work) => Later(work.Execute);

    /// <inheritdoc/>
    public void Run(Action action) => Later(action);

    /// <inheritdoc/>
    public Task<T> Run<T>(Func<T> function, CancellationToken cancellationToken = default)
    {
        var result = new TaskCompletionSource<T>();
        Later(() =>
        {
            if (cancellationToken.IsCancellationRequested)
            {
                result.SetCanceled(cancellationToken);
                return;
            }

            T value;
            try
            {
                value = function();
            }
            catch (Exception e) when (e is not InvariantViolationException)
            {
                result.SetException(e);
                return;
            }

            result.SetResult(value);
        });
        return result.Task;
    }

    /// <inheritdoc/>
    /// <remarks>Asks again and again: a semaphore would resume who waits for it on the thread pool.</remarks>
    public Task<bool> EnterAsync(SemaphoreSlim semaphore, TimeSpan limit, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(semaphore);
        long limitNs = limit < TimeSpan.Zero ? long.MaxValue : limit.Ticks * TimeSpan.NanosecondsPerTick;
        long begunNs = Clock.GetTimestamp();
        var entered = new TaskCompletionSource<bool>();
        Try();
        return entered.Task;

        void Try()
        {
            if (cancellationToken.IsCancellationRequested)
            {
                entered.SetCanceled(cancellationToken);
            }
            else if (semaphore.Wait(0, CancellationToken.None))
            {
                entered.SetResult(true);
            }
            else if (Clock.GetTimestamp() - begunNs >= limitNs)
            {
                entered.SetResult(false);
            }
            else
            {
                Later(Try, GateNs);
            }
        }
    }

    /// <inheritdoc/>
    public async Task DelayAsync(TimeSpan delay, CancellationToken cancellationToken)
    {
        var passed = new TaskCompletionSource();
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(
            (_, token) => passed.TrySetCanceled(token), null);
        using ITimer timer = Clock.CreateTimer(_ => passed.TrySetResult(), null, delay, Timeout.InfiniteTimeSpan);
        await passed.Task.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void CancelAfter(CancellationTokenSource source, TimeSpan delay) => Clock.CreateTimer(
        static state =>
        {
            try
            {
                ((CancellationTokenSource)state!).Cancel();
            }
            catch (ObjectDisposedException)
            {
                // Its user was done before.
            }
        },
        source,
        delay,
        Timeout.InfiniteTimeSpan);

    /// <inheritdoc/>
    public Task CancelAsync(CancellationTokenSource source)
    {
        source.Cancel();
        return Task.CompletedTask;
    }

    private void Later(Action action, long delayNs = 0)
    {
        if (Environment.CurrentManagedThreadId != _threadId)
        {
            // An exception here would be lost in a task of the thread pool.
            _hasEscaped = true;
            return;
        }

        _machine.Schedule(delayNs + NextLatencyNs(), () => Run(action, this));
    }

    private static void Run(Action action, SimulatedClientScheduler scheduler)
    {
        if (scheduler._hasEscaped)
        {
            throw new InvalidOperationException(
                $"Work of a client on {scheduler._machine} ran on another thread: something it awaits is not behind IClientScheduler.");
        }

        if (scheduler._machine.PausedNs is var pausedNs and > 0)
        {
            scheduler._machine.Schedule(pausedNs, () => Run(action, scheduler));
            return;
        }

        scheduler.RunCount++;
        action();
    }

    private long NextLatencyNs() =>
        LatencyNsMin + _random.NextInt64(LatencyNsRange) + (_random.NextBool(LateShare) ? _random.NextInt64(LateNsRange) : 0);
}
