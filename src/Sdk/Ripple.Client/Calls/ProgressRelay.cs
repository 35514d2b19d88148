using Ripple.Client.Scheduling;

namespace Ripple.Client.Calls;

/// <summary>
/// Reports progress from the core to a caller's <see cref="IProgress{T}"/> on the thread pool, in order. Only the newest pending value is
/// reported.
/// </summary>
internal sealed class ProgressRelay(IProgress<WaitProgress>? progress, IClientScheduler scheduler) : IThreadPoolWorkItem
{
    private WaitProgress? _newest;
    private int _isRunning;

    /// <summary>Queues the value for reporting. Core thread.</summary>
    public void Post(WaitProgress value)
    {
        if (progress is null)
        {
            return;
        }

        Volatile.Write(ref _newest, value);
        Start();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    private void Start()
    {
        if (Interlocked.CompareExchange(ref _isRunning, 1, 0) == 0)
        {
            scheduler.Queue(this);
        }
    }

    private void Run()
    {
        while (Interlocked.Exchange(ref _newest, null) is { } value)
        {
            progress!.Report(value);
        }

        Volatile.Write(ref _isRunning, 0);
        if (Volatile.Read(ref _newest) is not null)
        {
            Start();
        }
    }
}
