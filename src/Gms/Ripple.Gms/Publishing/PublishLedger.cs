using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>
/// Recognizes repeated publishes of one application: those committed, up to a horizon, and those in progress. A publish is identified by
/// its id within the scope of its actor, which is the actor's token: <see cref="ActorText.ScopeOf"/>. Core thread.
/// </summary>
internal sealed class PublishLedger
{
    /// <summary>The horizon: the number of newest publishes remembered, as in the store.</summary>
    public const int CommittedMax = 10_000;

    /// <summary>
    /// The most additional callers that wait for one publish: clients repeat a request after a lost connection, not constantly.
    /// </summary>
    public const int JoinedMax = 64;

    /// <summary>Approximate memory of a publish: its entry, its tree node, its place in the order and the text of its scope.</summary>
    internal const int EntryBytes = 350;

    private readonly SortedDictionary<(string Scope, Guid Id), Entry> _entries = new(KeyComparer.Instance);
    private readonly Queue<(string Scope, Guid Id)> _order = [];

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

    /// <summary>
    /// Answers a publish whose id was used before: with its release, when it has one, or with the refusal of other content under the same
    /// id. False for a new one.
    /// </summary>
    /// <param name="publish">The publish.</param>
    /// <param name="actor">Who asks.</param>
    /// <param name="refuse">Makes the answer of a refusal.</param>
    /// <param name="done">Runs once, now or when the publish under way ends, if this is true.</param>
    public bool TryAnswer(PreparedPublish publish, string actor, Func<Refusal, PublishAnswer> refuse, Action<PublishAnswer> done)
    {
        Guid id = publish.Input.PublishId;
        if (!TryGet(actor, id, publish.BodyHash, out Entry? known))
        {
            return false;
        }

        if (known!.BodyHash != publish.BodyHash)
        {
            done(refuse(new Refusal(
                ErrorCode.PublishIdReused, $"The publish id {id} was used before for other content. Use a new id for new content.")));
        }
        else if (known.Release == 0 && known.Joined.Count == JoinedMax)
        {
            done(refuse(new Refusal(
                ErrorCode.Busy, $"The publish {id} is under way, and too many wait for it. Ask again in a moment.")));
        }
        else if (known.Release == 0)
        {
            known.Joined.Add(done);
        }
        else
        {
            done(new PublishAnswer(ErrorCode.None, string.Empty, known.Generation, known.Release, known.Id));
        }

        return true;
    }

    /// <summary>Finds a publish that was asked for before.</summary>
    /// <remarks>
    /// A store from before version 3 of the protocol names actors without tokens. A publish of one of those is found by its id when its
    /// content is the same: a retry over the upgrade must not be a second release.
    /// </remarks>
    public bool TryGet(string actor, Guid id, Digest160 bodyHash, out Entry? entry) =>
        _entries.TryGetValue((ActorText.ScopeOf(actor), id), out entry)
        || (_entries.TryGetValue((string.Empty, id), out entry) && entry.BodyHash == bodyHash);

    /// <summary>Whether an actor has used the id, whatever for.</summary>
    public bool IsKnown(string actor, Guid id) => _entries.ContainsKey((ActorText.ScopeOf(actor), id));

    public Entry Begin(string actor, Guid id, Digest160 bodyHash)
    {
        var entry = new Entry(bodyHash);
        _entries[(ActorText.ScopeOf(actor), id)] = entry;
        return entry;
    }

    /// <summary>Forgets a publish that failed: a repeat is a new publish.</summary>
    public void Abandon(string actor, Guid id) => _entries.Remove((ActorText.ScopeOf(actor), id));

    public void Commit(string actor, Guid id, Entry entry, ReleaseHeader header)
    {
        entry.Generation = header.Generation;
        entry.Release = header.Release;
        entry.Id = header.Id;
        Remember(actor, id, entry);
    }

    private void Remember(string actor, Guid id, Entry entry)
    {
        (string Scope, Guid Id) key = (ActorText.ScopeOf(actor), id);
        _entries[key] = entry;
        _order.Enqueue(key);
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

    private sealed class KeyComparer : IComparer<(string Scope, Guid Id)>
    {
        public static KeyComparer Instance { get; } = new();

        public int Compare((string Scope, Guid Id) x, (string Scope, Guid Id) y)
        {
            int scope = string.CompareOrdinal(x.Scope, y.Scope);
            return scope != 0 ? scope : x.Id.CompareTo(y.Id);
        }
    }
}
