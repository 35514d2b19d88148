using Ripple.Client.Scheduling;

namespace Ripple.Client.Events;

/// <summary>One watch of one application: a bounded queue between the dispatcher and the enumerating caller.</summary>
internal sealed class ReleaseWatcher
{
    /// <summary>
    /// Maximum number of queued releases. One more release replaces them all and counts them in <see cref="RippleRelease.Skipped"/>.
    /// </summary>
    public const int QueueMax = 64;

    private readonly Lock _lock = new();
    private readonly Queue<RippleRelease> _queue = [];
    private readonly IClientScheduler _scheduler;
    private TaskCompletionSource _arrived;
    private RippleRelease _newest;
    private bool _isClosed;

    /// <param name="current">The release in effect. It is delivered first, unless there is none yet (release 0).</param>
    /// <param name="scheduler">Resumes the caller when a release arrives.</param>
    public ReleaseWatcher(RippleRelease current, IClientScheduler scheduler)
    {
        _scheduler = scheduler;
        _arrived = new(scheduler.Completions);
        _newest = current;
        if (current.Release > 0)
        {
            _queue.Enqueue(current);
            _arrived.SetResult();
        }
    }

    /// <summary>The releases that wait to be taken. For checkers, on one thread.</summary>
    public int QueuedCount => _queue.Count;

    /// <summary>Adds a release that took effect, unless it is not newer than the last one added.</summary>
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

    /// <summary>Ends the watch once the queued releases have been taken.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            _arrived.TrySetResult();
        }
    }

    /// <summary>The next release; null once the watch has ended. One caller at a time.</summary>
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
                    _arrived = new(_scheduler.Completions);
                }

                arrived = _arrived.Task;
            }

            await arrived.WaitAsync(cancellationToken).ConfigureAwait(false);
            await _scheduler.ResumeAsync().ConfigureAwait(false);
        }
    }
}
