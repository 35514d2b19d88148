using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <summary>
/// The values that lead to a snapshot, while they are fetched: many at a time, each once. What came is kept by digest and handed on to the
/// next snapshot if this one is given up, so that a connection which lives shorter than all of it takes still brings the node forward.
/// Bounded by the snapshot: no value is kept that it does not name. Core thread.
/// </summary>
internal sealed class SnapshotFetch
{
    /// <summary>The most values asked for at a time.</summary>
    public const int FetchesMax = 16;

    private readonly ImmutableSortedDictionary<string, ReadOnlyMemory<byte>>.Builder _values;
    private readonly Queue<KeyValuePair<string, KeyEntry>> _missing = [];
    private readonly Queue<KeyValuePair<string, KeyEntry>> _failed = [];
    private readonly Dictionary<Digest160, ReadOnlyMemory<byte>> _kept = [];

    /// <summary>Further keys of a value that is asked for under another one.</summary>
    private readonly Dictionary<Digest160, List<string>> _sameValue = [];

    private int _underWay;

    /// <param name="state">The snapshot's keys.</param>
    /// <param name="proof">Its proof.</param>
    /// <param name="from">The state that the node holds, some of whose values the snapshot may name.</param>
    /// <param name="isWanted">Which keys the node takes.</param>
    /// <param name="before">A snapshot that was given up; null for none.</param>
    public SnapshotFetch(ReleaseState state, ReleaseProof proof, ApplicationState from, Func<string, bool> isWanted, SnapshotFetch? before)
    {
        State = state;
        Proof = proof;
        _values = from.Values.ToBuilder();
        var asked = new HashSet<Digest160>();
        // All three are in key order, so that one walk finds what is held: a search for each of a million keys takes seconds.
        using IEnumerator<KeyValuePair<string, KeyEntry>> old = Walk(from.Keys.Keys);
        using IEnumerator<KeyValuePair<string, ReadOnlyMemory<byte>>> held = Walk(from.Values);
        bool isOld = old.MoveNext();
        bool isHeld = held.MoveNext();
        foreach (KeyValuePair<string, KeyEntry> key in state.Keys)
        {
            if (!isWanted(key.Key))
            {
                continue;
            }

            for (; isHeld && KeyOrder.Instance.Compare(held.Current.Key, key.Key) < 0; isHeld = held.MoveNext())
            {
                _values.Remove(held.Current.Key);
            }

            while (isOld && KeyOrder.Instance.Compare(old.Current.Key, key.Key) < 0)
            {
                isOld = old.MoveNext();
            }

            bool isSame = isHeld && held.Current.Key == key.Key && isOld && old.Current.Key == key.Key && old.Current.Value == key.Value;
            if (isHeld && held.Current.Key == key.Key)
            {
                isHeld = held.MoveNext();
            }

            if (!isSame)
            {
                Plan(key, asked, before);
            }
        }

        for (; isHeld; isHeld = held.MoveNext())
        {
            _values.Remove(held.Current.Key);
        }
    }

    public ReleaseState State { get; }

    public ReleaseProof Proof { get; }

    /// <summary>How many values came, or were kept.</summary>
    public int KeptCount => _kept.Count;

    /// <summary>True when every value is there.</summary>
    public bool IsComplete => _underWay == 0 && _missing.Count == 0 && _failed.Count == 0;

    /// <summary>True when values were unavailable, and are not asked for again yet.</summary>
    public bool HasFailed => _failed.Count > 0;

    /// <summary>
    /// Takes the next value to ask for; false when enough are under way, or none is left. Each ends by <see cref="OnEnded"/>.
    /// </summary>
    public bool TryNext(out KeyValuePair<string, KeyEntry> next)
    {
        next = default;
        if (_underWay == FetchesMax || !_missing.TryDequeue(out next))
        {
            return false;
        }

        _underWay++;
        return true;
    }

    /// <summary>A value came, or null: it was unavailable.</summary>
    public void OnEnded(KeyValuePair<string, KeyEntry> key, ReadOnlyMemory<byte>? bytes)
    {
        _underWay--;
        if (bytes is { } value)
        {
            _kept[key.Value.Digest] = value;
            _values[key.Key] = value;
            foreach (string other in _sameValue.GetValueOrDefault(key.Value.Digest) ?? [])
            {
                _values[other] = value;
            }
        }
        else
        {
            _failed.Enqueue(key);
        }
    }

    /// <summary>Asks again for values that were unavailable.</summary>
    public void TryAgain()
    {
        while (_failed.TryDequeue(out KeyValuePair<string, KeyEntry> key))
        {
            _missing.Enqueue(key);
        }
    }

    /// <summary>The whole state, once <see cref="IsComplete"/>.</summary>
    public ApplicationState Build() => new(State, _values.ToImmutable(), Proof);

    private static IEnumerator<KeyValuePair<string, T>> Walk<T>(IEnumerable<KeyValuePair<string, T>> table) => table.GetEnumerator();

    private void Plan(KeyValuePair<string, KeyEntry> key, HashSet<Digest160> asked, SnapshotFetch? before)
    {
        if (key.Value.Length == 0)
        {
            _values[key.Key] = ReadOnlyMemory<byte>.Empty;
        }
        else if (before?._kept.TryGetValue(key.Value.Digest, out ReadOnlyMemory<byte> kept) == true && kept.Length == key.Value.Length)
        {
            _kept[key.Value.Digest] = kept;
            _values[key.Key] = kept;
        }
        else if (asked.Add(key.Value.Digest))
        {
            _missing.Enqueue(key);
        }
        else if (_sameValue.TryGetValue(key.Value.Digest, out List<string>? keys))
        {
            keys.Add(key.Key);
        }
        else
        {
            _sameValue[key.Value.Digest] = [key.Key];
        }
    }
}
