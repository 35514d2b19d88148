namespace Ripple.Client.Watching;

/// <summary>One watch of one application: a bounded queue between the dispatcher and who enumerates.</summary>
internal sealed class ReleaseWatcher
{
    /// <summary>The most releases that wait. One more, and the newest stands for all of them.</summary>
    public const int QueueMax = 64;

    private readonly Lock _lock = new();
    private readonly Queue<RippleRelease> _queue = [];
    private TaskCompletionSource _arrived = NewSignal();
    private RippleRelease _newest;
    private bool _isClosed;

    /// <param name="current">What is in effect; brought first unless there is no release yet.</param>
    public ReleaseWatcher(RippleRelease current)
    {
        _newest = current;
        if (current.Release > 0)
        {
            _queue.Enqueue(current);
            _arrived.SetResult();
        }
    }

    /// <summary>Takes a release that took effect. One that is not newer than what was brought already is dropped.</summary>
    public void Offer(RippleRelease release)
    {
        lock (_lock)
        {
            if (!release.IsAfter(_newest) || _isClosed)
            {
                return;
            }

            _newest = release;
            if (_queue.Count == QueueMax)
            {
                RippleRelease[] dropped = [.. _queue];
                _queue.Clear();
                release = release.Replacing(dropped);
            }

            _queue.Enqueue(release);
            _arrived.TrySetResult();
        }
    }

    /// <summary>Nothing comes any more; what waits is still brought.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            _arrived.TrySetResult();
        }
    }

    /// <summary>The next release; null when there will be none. One caller at a time.</summary>
    public async ValueTask<RippleRelease?> NextAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Task arrived;
            lock (_lock)
            {
                if (_queue.TryDequeue(out RippleRelease? release))
                {
                    return release;
                }

                if (_isClosed)
                {
                    return null;
                }

                if (_arrived.Task.IsCompleted)
                {
                    _arrived = NewSignal();
                }

                arrived = _arrived.Task;
            }

            await arrived.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
