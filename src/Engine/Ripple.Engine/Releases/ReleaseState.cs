using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Releases;

/// <summary>
/// An application's state at one release: its key table, and the trie over it. Values are stored elsewhere, by digest. Immutable: the next
/// state shares all unchanged parts, so holding several is cheap. Any thread.
/// </summary>
internal sealed class ReleaseState
{
    private static readonly ImmutableSortedDictionary<string, KeyEntry> NoKeys =
        ImmutableSortedDictionary.Create<string, KeyEntry>(KeyOrder.Instance);

    private ReleaseState(
        string application, uint generation, ulong release, Digest160 id, StateTrie trie, ImmutableSortedDictionary<string, KeyEntry> keys)
    {
        Application = application;
        Generation = generation;
        Release = release;
        Id = id;
        Trie = trie;
        Keys = keys;
    }

    /// <summary>The application's name.</summary>
    public string Application { get; }

    /// <summary>The generation of the newest release; 0 before the first.</summary>
    public uint Generation { get; }

    /// <summary>The newest release; 0 before the first.</summary>
    public ulong Release { get; }

    /// <summary>The id of the newest release; zero before the first.</summary>
    public Digest160 Id { get; }

    /// <summary>The trie over <see cref="Keys"/>.</summary>
    public StateTrie Trie { get; }

    /// <summary>Every key with its entry, in <see cref="KeyOrder"/>.</summary>
    public ImmutableSortedDictionary<string, KeyEntry> Keys { get; }

    /// <summary>The state before the first release.</summary>
    public static ReleaseState Empty(string application) => new(application, 0, 0, default, StateTrie.Empty, NoKeys);

    /// <summary>
    /// Builds the state of a snapshot from the newest header and the whole key table, in any order. False when the table does not have the
    /// root that the header names, or contains an invalid or repeated key; so a snapshot needs no trust beyond the header's. Costs about
    /// three hashes per key.
    /// </summary>
    public static bool TryFromSnapshot(
        ReleaseHeader newest, IEnumerable<KeyValuePair<string, KeyEntry>> keys, [NotNullWhen(true)] out ReleaseState? state)
    {
        state = null;
        var table = new ReleaseStateBuilder();
        foreach ((string key, KeyEntry entry) in keys)
        {
            if (!table.TryAdd(key, entry))
            {
                return false;
            }
        }

        return table.TryBuild(newest, out state);
    }

    /// <summary>
    /// Applies a header if it follows this state; <paramref name="next"/> is the resulting state, or this one unless the status is
    /// <see cref="ApplyStatus.Applied"/>. Checks the chain and the state root, but not the signature or the values.
    /// </summary>
    public ApplyStatus Apply(ReleaseHeader header, out ReleaseState next) => Apply(header, null, out next);

    /// <summary>Applies a header as above, without making the trie again.</summary>
    /// <param name="header">The header.</param>
    /// <param name="made">What its changes make of <see cref="Trie"/>; null to make it.</param>
    /// <param name="next">The resulting state, or this one.</param>
    public ApplyStatus Apply(ReleaseHeader header, StateTrie? made, out ReleaseState next)
    {
        next = this;
        ApplyStatus status = Follows(header);
        if (status != ApplyStatus.Applied)
        {
            return status;
        }

        StateTrie trie = made ?? Trie.Apply(header.Changes);
        if (trie.Root != header.StateRoot)
        {
            return ApplyStatus.RootMismatch;
        }

        ImmutableSortedDictionary<string, KeyEntry>.Builder keys = Keys.ToBuilder();
        foreach (KeyChange change in header.Changes)
        {
            if (change.Operation == KeyOperation.Set)
            {
                keys[change.Key] = change.Entry;
            }
            else
            {
                keys.Remove(change.Key);
            }
        }

        next = new(Application, header.Generation, header.Release, header.Id, trie, keys.ToImmutable());
        return ApplyStatus.Applied;
    }

    /// <summary>The state at a release with this table, whose root the caller compared with the header's.</summary>
    internal static ReleaseState At(ReleaseHeader newest, StateTrie trie, ImmutableSortedDictionary<string, KeyEntry> keys) =>
        new(newest.Application, newest.Generation, newest.Release, newest.Id, trie, keys);

    /// <summary>Whether the other state is the same: the same release, and the same root over the key table.</summary>
    internal bool IsSame(ReleaseState other) =>
        ReferenceEquals(this, other)
        || (Release == other.Release
            && Generation == other.Generation
            && Id == other.Id
            && Trie.Root == other.Trie.Root
            && Application == other.Application);

    private ApplyStatus Follows(ReleaseHeader header)
    {
        if (header.Application != Application)
        {
            return ApplyStatus.WrongApplication;
        }

        if (header.Release > Release + 1)
        {
            return ApplyStatus.TooEarly;
        }

        if (header.Release <= Release)
        {
            return header.Release == Release && header.Id == Id ? ApplyStatus.AlreadyApplied : ApplyStatus.WrongRelease;
        }

        if (header.PreviousId != Id)
        {
            return ApplyStatus.WrongPrevious;
        }

        // The first release may have any generation above 0. Later ones keep the current generation unless they begin a new one.
        bool begins = Release == 0 || header.Kind == ReleaseKind.Creation;
        return (begins ? header.Generation > Generation : header.Generation == Generation)
            ? ApplyStatus.Applied
            : ApplyStatus.WrongGeneration;
    }
}

/// <summary>Whether a header follows a state, and if not, why not.</summary>
internal enum ApplyStatus
{
    /// <summary>It follows; the next state was computed.</summary>
    Applied = 0,

    /// <summary>It is the release the state is at: same number, same id. Nothing to do.</summary>
    AlreadyApplied,

    /// <summary>Its number is above the next one: hold it until its predecessors arrive.</summary>
    TooEarly,

    /// <summary>Its number is not above the state's, and it is not the state's own release: it is old, or from another history.</summary>
    WrongRelease,

    /// <summary>It has the next number but names another predecessor: the histories differ, and only a snapshot helps.</summary>
    WrongPrevious,

    /// <summary>It continues a generation other than the state's, or begins one that is not above it.</summary>
    WrongGeneration,

    /// <summary>It belongs to another application.</summary>
    WrongApplication,

    /// <summary>It follows, but the resulting state is not the one it names: either the header or the local state is wrong.</summary>
    RootMismatch,
}

/// <summary>
/// The key table of a snapshot while it comes in, part by part, so that no part takes long: a million keys at once would hold up a core for
/// seconds. Used once.
/// </summary>
internal sealed class ReleaseStateBuilder
{
    /// <summary>Often enough that it takes some ten milliseconds, seldom enough that few nodes are hashed in vain.</summary>
    private const int HashedKeys = 4_096;

    private readonly ImmutableSortedDictionary<string, KeyEntry>.Builder _keys =
        ImmutableSortedDictionary.CreateBuilder<string, KeyEntry>(KeyOrder.Instance);

    private StateTrie _trie = StateTrie.Empty;

    public int Count => _keys.Count;

    /// <summary>Adds a key; false when it is invalid, or there already.</summary>
    public bool TryAdd(string key, in KeyEntry entry)
    {
        if (ReleaseNames.CheckKey(key) is not null || !_keys.TryAdd(key, entry))
        {
            return false;
        }

        _trie = _trie.Set(key, entry);
        if (_keys.Count % HashedKeys == 0)
        {
            // Hashes what came, which the root would otherwise do at once at the end.
            _ = _trie.Root;
        }

        return true;
    }

    /// <summary>The state at a release; false when the table does not have the root that its header names.</summary>
    public bool TryBuild(ReleaseHeader newest, [NotNullWhen(true)] out ReleaseState? state)
    {
        state = _trie.Root == newest.StateRoot ? ReleaseState.At(newest, _trie, _keys.ToImmutable()) : null;
        return state is not null;
    }
}
