namespace Ripple.Client.Scheduling;

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

    public Task<bool> EnterAsync(SemaphoreSlim gate, TimeSpan limit, CancellationToken cancellationToken) =>
        gate.WaitAsync(limit, cancellationToken);

    public void CancelAfter(CancellationTokenSource source, TimeSpan delay) => source.CancelAfter(delay);

    public Task CancelAsync(CancellationTokenSource source) => source.CancelAsync();
}
