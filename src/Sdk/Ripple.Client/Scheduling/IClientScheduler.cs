namespace Ripple.Client.Scheduling;

/// <summary>
/// Runs a client's work outside the core thread, and tells it the time: the thread pool and the system's timers in a process, or events of
/// a simulation. Code of the client starts work, waits for time and signals tasks only through it. Thread-safe.
/// </summary>
internal interface IClientScheduler
{
    /// <summary>The clock of delays, durations and wall time.</summary>
    TimeProvider Clock { get; }

    /// <summary>
    /// The options of every <see cref="TaskCompletionSource{TResult}"/> that the core, the dispatcher or a work item completes.
    /// After awaiting one, await <see cref="ResumeAsync"/>.
    /// </summary>
    TaskCreationOptions Completions { get; }

    /// <summary>
    /// Leaves the call that completed an awaited task. Completed at once where continuations already run on the thread pool; in a
    /// simulation it completes in an event of its own, after the time that blocking work has taken.
    /// </summary>
    ValueTask ResumeAsync();

    /// <summary>Queues a work item.</summary>
    void Queue(IThreadPoolWorkItem work);

    /// <summary>Runs an action outside the caller.</summary>
    void Run(Action action);

    /// <summary>Runs a function outside the caller, as <see cref="Task.Run{TResult}(Func{TResult}, CancellationToken)"/> does.</summary>
    Task<T> Run<T>(Func<T> function, CancellationToken cancellationToken = default);

    /// <summary>
    /// Enters a semaphore: true once it is entered, false if the limit passes first. The limit may be
    /// <see cref="Timeout.InfiniteTimeSpan"/>.
    /// </summary>
    /// <exception cref="OperationCanceledException">Canceled before it was entered.</exception>
    Task<bool> EnterAsync(SemaphoreSlim semaphore, TimeSpan limit, CancellationToken cancellationToken);

    /// <summary>
    /// Completes after a delay. Not <see cref="Task.Delay(TimeSpan, TimeProvider, CancellationToken)"/>: one that is canceled resumes who
    /// awaits it on the thread pool, whatever its clock is.
    /// </summary>
    /// <exception cref="OperationCanceledException">Canceled before.</exception>
    Task DelayAsync(TimeSpan delay, CancellationToken cancellationToken);

    /// <summary>Cancels the source after a delay, unless it is disposed of before.</summary>
    void CancelAfter(CancellationTokenSource source, TimeSpan delay);

    /// <summary>Cancels the source and runs its callbacks outside the caller; completes once they have run.</summary>
    Task CancelAsync(CancellationTokenSource source);
}

/// <summary>Work runs on the thread pool, by the system's time.</summary>
internal sealed class PoolScheduler : IClientScheduler
{
    private PoolScheduler()
    {
    }

    /// <summary>The only one.</summary>
    public static PoolScheduler Instance { get; } = new();

    public TimeProvider Clock => TimeProvider.System;

    public TaskCreationOptions Completions => TaskCreationOptions.RunContinuationsAsynchronously;

    public ValueTask ResumeAsync() => default;

    public void Queue(IThreadPoolWorkItem work) => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);

    public void Run(Action action) => Task.Run(action);

    public Task<T> Run<T>(Func<T> function, CancellationToken cancellationToken = default) => Task.Run(function, cancellationToken);

    public Task<bool> EnterAsync(SemaphoreSlim semaphore, TimeSpan limit, CancellationToken cancellationToken) =>
        semaphore.WaitAsync(limit, cancellationToken);

    public Task DelayAsync(TimeSpan delay, CancellationToken cancellationToken) => Task.Delay(delay, cancellationToken);

    public void CancelAfter(CancellationTokenSource source, TimeSpan delay) => source.CancelAfter(delay);

    public Task CancelAsync(CancellationTokenSource source) => source.CancelAsync();
}
