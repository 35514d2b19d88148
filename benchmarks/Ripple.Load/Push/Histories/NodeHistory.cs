namespace Ripple.Load.Push.Histories;

/// <summary>
/// What one node has of a document's versions. Two watches: one brings what takes effect, whose bytes are compared; the other one names
/// every release, also those that a newer one superseded before they took effect. What was named and never in effect is read from the host
/// in the end, and compared too. Thread-safe.
/// </summary>
internal sealed class NodeHistory
{
    private readonly Lock _lock = new();
    private readonly RippleClient _client;
    private readonly DocumentHistory _history;
    private readonly Arrivals _arrivals;
    private readonly NodeArrivals _before;
    private readonly State[] _states;
    private ulong _firstRelease = ulong.MaxValue;
    private ulong _namedRelease;
    private int _firstPublish;
    private int _through;

    public NodeHistory(RippleClient client, DocumentHistory history, Arrivals arrivals)
    {
        _client = client;
        _history = history;
        _arrivals = arrivals;
        _before = new NodeArrivals(arrivals);
        _states = new State[history.Versions.Count];
    }

    /// <summary>What was found out about one version.</summary>
    private enum State
    {
        Unknown,

        /// <summary>Its release was named.</summary>
        Named,

        /// <summary>It was in effect with the right bytes, and is not named yet.</summary>
        Right,

        /// <summary>Named, and compared byte for byte.</summary>
        Proven,

        /// <summary>Its bytes were others.</summary>
        Wrong,
    }

    /// <summary>Brings what takes effect, until the client is disposed of.</summary>
    public async Task WatchAsync()
    {
        await foreach (RippleRelease release in _client.WatchAsync())
        {
            lock (_lock)
            {
                if (release.Release < _firstRelease)
                {
                    _before.Add(release);
                    continue;
                }

                Take(release);
            }
        }
    }

    /// <summary>Names each release from now on, until the client is disposed of.</summary>
    public async Task NameAsync()
    {
        await foreach (HistoryEntry entry in _client.WatchHistoryAsync())
        {
            lock (_lock)
            {
                _namedRelease = entry.Release;
                int index = IndexOf(entry.Release);
                if (index >= 0)
                {
                    _states[index] = _states[index] switch
                    {
                        State.Unknown => State.Named,
                        State.Right => State.Proven,
                        State state => state,
                    };
                }
            }
        }
    }

    /// <summary>Says which release and which publish the first version will be.</summary>
    public void Begin(ulong release, int publish)
    {
        lock (_lock)
        {
            _firstRelease = release;
            _firstPublish = publish;
        }
    }

    /// <summary>Whether every release up to this one was named.</summary>
    public bool IsNamed(ulong release)
    {
        lock (_lock)
        {
            return _namedRelease >= release;
        }
    }

    /// <summary>
    /// Reads and compares what never took effect here: how many versions are proven, how many have other bytes, how many were read.
    /// </summary>
    public async Task<(long Proven, long Wrong, long Superseded)> ProveAsync()
    {
        int[] superseded;
        lock (_lock)
        {
            superseded = [.. Enumerable.Range(0, _states.Length).Where(i => _states[i] == State.Named)];
        }

        foreach (int index in superseded)
        {
            ReadResult? read = await _client.ReadAsync(_client.Application, DocumentHistory.Key, _firstRelease + (ulong)index);
            lock (_lock)
            {
                _states[index] = read is null ? State.Named : _history.IsVersion(index, read.Value) ? State.Proven : State.Wrong;
            }
        }

        lock (_lock)
        {
            return (_states.LongCount(s => s == State.Proven), _states.LongCount(s => s == State.Wrong), superseded.Length);
        }
    }

    private int IndexOf(ulong release) =>
        release >= _firstRelease && release - _firstRelease < (ulong)_states.Length ? (int)(release - _firstRelease) : -1;

    private void Take(RippleRelease release)
    {
        int index = IndexOf(release.Release);
        if (index < 0)
        {
            return;
        }

        bool isRight = release.Values.TryGetValue(DocumentHistory.Key, out ReadOnlyMemory<byte> value) && _history.IsVersion(index, value);
        _states[index] = !isRight ? State.Wrong : _states[index] == State.Named ? State.Proven : State.Right;
        // Who goes to a newer version at once has the older ones with it, as in every push.
        for (; _through <= index; _through++)
        {
            _arrivals.Add(_firstPublish + _through, _through == index ? release.Release : 0);
        }
    }
}
