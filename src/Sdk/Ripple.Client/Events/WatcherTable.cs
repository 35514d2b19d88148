using System.Collections.Immutable;

namespace Ripple.Client.Events;

/// <summary>The open watches of one kind, by application. Thread-safe; reading takes no lock.</summary>
/// <typeparam name="T">The kind of watch.</typeparam>
/// <typeparam name="TItem">What it brings.</typeparam>
internal sealed class WatcherTable<T, TItem>
    where T : Watcher<TItem>
{
    private readonly Lock _lock = new();

    // Replaced as a whole, so that it can be read without the lock.
    private volatile ImmutableDictionary<string, T[]> _watchers = ImmutableDictionary.Create<string, T[]>(StringComparer.Ordinal);

    private bool _isClosed;

    /// <summary>All open watches.</summary>
    public IEnumerable<T> All => _watchers.Values.SelectMany(w => w);

    /// <summary>The open watches of an application.</summary>
    public T[] Of(string application) => _watchers.GetValueOrDefault(application, []);

    /// <summary>
    /// Adds a watch, and then calls <paramref name="begin"/>, before the watch can be closed; once the table is closed, the watch is closed
    /// after that.
    /// </summary>
    public void Add(string application, T watcher, Action begin)
    {
        lock (_lock)
        {
            if (!_isClosed)
            {
                _watchers = _watchers.SetItem(application, [.. Of(application), watcher]);
                Interlocked.MemoryBarrier();
            }

            begin();
            if (_isClosed)
            {
                watcher.Close();
            }
        }
    }

    /// <summary>Removes a watch that nobody enumerates any more.</summary>
    public void Remove(string application, T watcher)
    {
        lock (_lock)
        {
            _watchers = _watchers.SetItem(application, [.. Of(application).Where(w => w != watcher)]);
        }
    }

    /// <summary>Ends all watches; those that begin later end at once.</summary>
    public void Close()
    {
        T[] watchers;
        lock (_lock)
        {
            _isClosed = true;
            watchers = [.. All];
        }

        foreach (T watcher in watchers)
        {
            watcher.Close();
        }
    }
}
