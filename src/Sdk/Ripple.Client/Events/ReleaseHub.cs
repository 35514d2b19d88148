using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Client.State;

namespace Ripple.Client.Events;

/// <summary>The watches of one client. Thread-safe.</summary>
internal sealed class ReleaseHub(CurrentReleases current, IClientScheduler scheduler)
{
    private readonly WatcherTable<ReleaseWatcher, RippleRelease> _watchers = new();

    /// <summary>The releases that wait in the longest queue of a watch. For invariant checks, on one thread.</summary>
    public int QueuedMax => _watchers.All.Select(w => w.QueuedCount).DefaultIfEmpty().Max();

    /// <summary>Passes a release to the watches of its application.</summary>
    public void Publish(RippleRelease release)
    {
        foreach (ReleaseWatcher watcher in _watchers.Of(release.Application))
        {
            watcher.Offer(release);
        }
    }

    /// <summary>An application's release is no longer in effect, and none replaces it: an older release may follow.</summary>
    public void Withdraw(string application)
    {
        foreach (ReleaseWatcher watcher in _watchers.Of(application))
        {
            watcher.Withdraw();
        }
    }

    /// <summary>Ends all watches; watches that begin later end at once.</summary>
    public void Close() => _watchers.Close();

    /// <summary>Enumerates the release in effect and the following ones, until the hub closes.</summary>
    public async IAsyncEnumerable<RippleRelease> WatchAsync(
        string application, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ReleaseWatcher watcher = Add(application);
        try
        {
            while (await watcher.NextAsync(cancellationToken).ConfigureAwait(false) is { IsOpen: true, Item: { } release })
            {
                yield return release;
            }
        }
        finally
        {
            _watchers.Remove(application, watcher);
        }
    }

    private ReleaseWatcher Add(string application)
    {
        // An application outside the interest throws here, before a watch is registered.
        _ = current[application];
        // Register the watch first, then offer it the release in effect: a release that takes effect in between arrives by at least one of
        // the two paths, and the watch drops a duplicate.
        var watcher = new ReleaseWatcher(new RippleRelease { Application = application }, scheduler);
        _watchers.Add(application, watcher, () => watcher.Offer(current[application]));
        return watcher;
    }
}

/// <summary>One watch of the releases that take effect, between the dispatcher and the enumerating caller.</summary>
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
            lock (QueueLock)
            {
                Enqueue(current);
            }
        }
    }

    /// <summary>Adds a release that took effect, unless it is not newer than the last one added.</summary>
    public void Offer(RippleRelease release)
    {
        lock (QueueLock)
        {
            if (!release.IsAfter(_newest) || IsClosed)
            {
                return;
            }

            _newest = release;
            Enqueue(QueuedCount == QueueMax ? release.Replacing(TakeAll()) : release);
        }
    }

    /// <summary>The release added last is no longer in effect: an older release may follow.</summary>
    public void Withdraw()
    {
        lock (QueueLock)
        {
            _newest = new RippleRelease { Application = _newest.Application };
        }
    }
}
