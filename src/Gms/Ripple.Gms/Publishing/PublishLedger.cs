using Ripple.Engine.Memory;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Recognizes repeated publishes of one application: those committed, up to a horizon, and those in progress. A publish is identified by
/// its actor and id. Core thread.
/// </summary>
internal sealed class PublishLedger
{
    /// <summary>The horizon: the number of newest publishes remembered, as in the store.</summary>
    public const int CommittedMax = 10_000;

    /// <summary>
    /// The most additional callers that wait for one publish: clients repeat a request after a lost connection, not constantly.
    /// </summary>
    public const int JoinedMax = 64;

    /// <summary>Approximate memory of a publish: its entry, its tree node and its place in the order.</summary>
    internal const int EntryBytes = 280;

    private readonly SortedDictionary<(string Actor, Guid Id), Entry> _entries = new(KeyComparer.Instance);
    private readonly Queue<(string Actor, Guid Id)> _order = [];

    public PublishLedger(IEnumerable<StoredPublish> committed)
    {
        foreach (StoredPublish publish in committed)
        {
            Remember(publish.Actor, publish.PublishId, new Entry(publish.BodyHash)
            {
                Generation = publish.Generation,
                Release = publish.Release,
                Id = publish.Id,
            });
        }
    }

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Application, MemoryKind.Retained, "publishes that may be asked for again", CommittedMax, EntryBytes);

    public bool TryGet(string actor, Guid id, out Entry? entry) => _entries.TryGetValue((actor, id), out entry);

    public Entry Begin(string actor, Guid id, Digest160 bodyHash)
    {
        var entry = new Entry(bodyHash);
        _entries[(actor, id)] = entry;
        return entry;
    }

    /// <summary>Forgets a publish that failed: a repeat is a new publish.</summary>
    public void Abandon(string actor, Guid id) => _entries.Remove((actor, id));

    public void Commit(string actor, Guid id, Entry entry, ReleaseHeader header)
    {
        entry.Generation = header.Generation;
        entry.Release = header.Release;
        entry.Id = header.Id;
        Remember(actor, id, entry);
    }

    private void Remember(string actor, Guid id, Entry entry)
    {
        _entries[(actor, id)] = entry;
        _order.Enqueue((actor, id));
        if (_order.Count > CommittedMax)
        {
            _entries.Remove(_order.Dequeue());
        }
    }

    internal sealed class Entry(Digest160 bodyHash)
    {
        public Digest160 BodyHash { get; } = bodyHash;

        public uint Generation { get; set; }

        /// <summary>The committed release; 0 while in progress.</summary>
        public ulong Release { get; set; }

        public Digest160 Id { get; set; }

        /// <summary>Callers that repeated the publish while it was in progress; at most <see cref="JoinedMax"/>.</summary>
        public List<Action<PublishAnswer>> Joined { get; } = [];
    }

    private sealed class KeyComparer : IComparer<(string Actor, Guid Id)>
    {
        public static KeyComparer Instance { get; } = new();

        public int Compare((string Actor, Guid Id) x, (string Actor, Guid Id) y)
        {
            int actor = string.CompareOrdinal(x.Actor, y.Actor);
            return actor != 0 ? actor : x.Id.CompareTo(y.Id);
        }
    }
}
