using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Ripple.Client.Scheduling;
using Ripple.Client.State;

namespace Ripple.Client.Events;

/// <summary>The watches of one client. Thread-safe.</summary>
internal sealed class ReleaseHub(CurrentReleases current, IClientScheduler scheduler)
{
    private readonly Lock _lock = new();

    // Replaced as a whole, so that Publish can read it without the lock.
    private volatile ImmutableDictionary<string, ReleaseWatcher[]> _watchers =
        ImmutableDictionary.Create<string, ReleaseWatcher[]>(StringComparer.Ordinal);

    private bool _isClosed;

    /// <summary>The releases that wait in the longest queue of a watch. For checkers, on one thread.</summary>
    public int QueuedMax => _watchers.Values.SelectMany(w => w).Select(w => w.QueuedCount).DefaultIfEmpty().Max();

    /// <summary>Passes a release to the watches of its application.</summary>
    public void Publish(RippleRelease release)
    {
        if (_watchers.TryGetValue(release.Application, out ReleaseWatcher[]? watchers))
        {
            foreach (ReleaseWatcher watcher in watchers)
            {
                watcher.Offer(release);
            }
        }
    }

    /// <summary>Ends all watches; watches that begin later end at once.</summary>
    public void Close()
    {
        ReleaseWatcher[] watchers;
        lock (_lock)
        {
            _isClosed = true;
            watchers = [.. _watchers.Values.SelectMany(w => w)];
        }

        foreach (ReleaseWatcher watcher in watchers)
        {
            watcher.Close();
        }
    }

    /// <summary>Enumerates the release in effect and the following ones, until the hub closes.</summary>
    public async IAsyncEnumerable<RippleRelease> WatchAsync(
        string application, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ReleaseWatcher watcher = Add(application);
        try
        {
            while (await watcher.NextAsync(cancellationToken).ConfigureAwait(false) is { } release)
            {
                yield return release;
            }
        }
        finally
        {
            Remove(application, watcher);
        }
    }

    private ReleaseWatcher Add(string application)
    {
        lock (_lock)
        {
            // An application outside the interest throws here, before a watch is registered.
            _ = current[application];
            // Register the watch first, then offer it the release in effect: a release that takes effect in between arrives by at least one
            // of the two paths, and the watch drops a duplicate.
            var watcher = new ReleaseWatcher(new RippleRelease { Application = application }, scheduler);
            if (!_isClosed)
            {
                _watchers = _watchers.SetItem(application, [.. _watchers.GetValueOrDefault(application, []), watcher]);
                Interlocked.MemoryBarrier();
            }

            watcher.Offer(current[application]);
            if (_isClosed)
            {
                watcher.Close();
            }

            return watcher;
        }
    }

    private void Remove(string application, ReleaseWatcher watcher)
    {
        lock (_lock)
        {
            _watchers = _watchers.SetItem(application, [.. _watchers.GetValueOrDefault(application, []).Where(w => w != watcher)]);
        }
    }
}
