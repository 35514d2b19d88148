using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Ripple.Client.Running;

namespace Ripple.Client.Watching;

/// <summary>The watches of one client. Any thread.</summary>
internal sealed class ReleaseHub(CurrentReleases current)
{
    private readonly Lock _lock = new();

    // Replaced, never changed: who hands out a release needs no lock.
    private volatile ImmutableDictionary<string, ReleaseWatcher[]> _watchers = ImmutableDictionary.Create<string, ReleaseWatcher[]>(StringComparer.Ordinal);
    private bool _isClosed;

    /// <summary>Hands a release to its watches.</summary>
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

    /// <summary>Ends every watch, also those that begin later.</summary>
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

    public async IAsyncEnumerable<RippleRelease> WatchAsync(string application, [EnumeratorCancellation] CancellationToken cancellationToken)
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
            // Listed first, then told what is in effect: what takes effect meanwhile is seen by one of the two, and what comes twice is dropped. Asked before it is
            // listed, though: an application that is not of the interest fails here.
            _ = current[application];
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
