using System.Runtime.CompilerServices;
using Ripple.Client.Running;

namespace Ripple.Client.Watching;

/// <summary>The watches of one client. Any thread.</summary>
internal sealed class ReleaseHub(CurrentReleases current)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, List<ReleaseWatcher>> _watchers = new(StringComparer.Ordinal);
    private bool _isClosed;

    /// <summary>Hands a release to its watches.</summary>
    public void Publish(RippleRelease release)
    {
        ReleaseWatcher[] watchers;
        lock (_lock)
        {
            watchers = _watchers.TryGetValue(release.Application, out List<ReleaseWatcher>? list) ? [.. list] : [];
        }

        foreach (ReleaseWatcher watcher in watchers)
        {
            watcher.Offer(release);
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
            // Read inside the lock: what takes effect later is published to the list this watch is in by then.
            var watcher = new ReleaseWatcher(current[application]);
            if (_isClosed)
            {
                watcher.Close();
                return watcher;
            }

            if (!_watchers.TryGetValue(application, out List<ReleaseWatcher>? list))
            {
                list = [];
                _watchers.Add(application, list);
            }

            list.Add(watcher);
            return watcher;
        }
    }

    private void Remove(string application, ReleaseWatcher watcher)
    {
        lock (_lock)
        {
            if (_watchers.TryGetValue(application, out List<ReleaseWatcher>? list))
            {
                list.Remove(watcher);
            }
        }
    }
}
