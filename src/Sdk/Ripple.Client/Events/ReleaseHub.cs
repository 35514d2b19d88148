using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Ripple.Client.State;

namespace Ripple.Client.Events;

/// <summary>The watches of one client. Any thread.</summary>
internal sealed class ReleaseHub(CurrentReleases current)
{
    private readonly Lock _lock = new();

    // Replaced as a whole, so that Publish reads it without the lock.
    private volatile ImmutableDictionary<string, ReleaseWatcher[]> _watchers =
        ImmutableDictionary.Create<string, ReleaseWatcher[]>(StringComparer.Ordinal);

    private bool _isClosed;

    /// <summary>Hands a release to the watches of its application.</summary>
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

    /// <summary>Ends every watch, and those that begin later at once.</summary>
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

    /// <summary>Enumerates the release in effect and those that follow, until the hub closes.</summary>
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
            // An application outside the interest throws here, before anything is listed.
            _ = current[application];
            // The watch is listed first and gets the release in effect second: a release that takes effect in between comes by one of the
            // two ways, and the watch drops one that comes by both.
            var watcher = new ReleaseWatcher(new RippleRelease { Application = application });
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
