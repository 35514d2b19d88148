using Ripple.Client.Scheduling;

namespace Ripple.Client.Events;

/// <summary>One watch of what takes effect, between the dispatcher and the enumerating caller.</summary>
internal sealed class ReleaseWatcher : Watcher<RippleRelease>
{
    /// <summary>
    /// Maximum number of queued releases. One more release replaces them all and counts them in <see cref="RippleRelease.Skipped"/>.
    /// </summary>
    public const int QueueMax = 64;

    private RippleRelease _newest;

    /// <param name="current">The release in effect. It is delivered first, unless there is none yet (release 0).</param>
    /// <param name="scheduler">Resumes the caller when a release arrives.</param>
    public ReleaseWatcher(RippleRelease current, IClientScheduler scheduler)
        : base(scheduler)
    {
        _newest = current;
        if (current.Release > 0)
        {
            lock (Gate)
            {
                Enqueue(current);
            }
        }
    }

    /// <summary>Adds a release that took effect, unless it is not newer than the last one added.</summary>
    public void Offer(RippleRelease release)
    {
        lock (Gate)
        {
            if (!release.IsAfter(_newest) || IsClosed)
            {
                return;
            }

            _newest = release;
            Enqueue(QueuedCount == QueueMax ? release.Replacing(TakeAll()) : release);
        }
    }

    /// <summary>What was added last is in effect no more: an older release may follow.</summary>
    public void Withdraw()
    {
        lock (Gate)
        {
            _newest = new RippleRelease { Application = _newest.Application };
        }
    }
}
