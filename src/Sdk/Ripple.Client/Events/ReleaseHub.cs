using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Client.State;

namespace Ripple.Client.Events;

/// <summary>The watches of one client. Thread-safe.</summary>
internal sealed class ReleaseHub(CurrentReleases current, IClientScheduler scheduler)
{
    private readonly WatcherTable<ReleaseWatcher, RippleRelease> _watchers = new();

    /// <summary>The releases that wait in the longest queue of a watch. For checkers, on one thread.</summary>
    public int QueuedMax => _watchers.All.Select(w => w.QueuedCount).DefaultIfEmpty().Max();

    /// <summary>Passes a release to the watches of its application.</summary>
    public void Publish(RippleRelease release)
    {
        foreach (ReleaseWatcher watcher in _watchers.Of(release.Application))
        {
            watcher.Offer(release);
        }
    }

    /// <summary>What is in effect of an application is so no more, and nothing else is: an older release may follow.</summary>
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
