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
        ArgumentNullException.ThrowIfNull(newest);
        ArgumentNullException.ThrowIfNull(keys);
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
    public ApplyStatus Apply(ReleaseHeader header, out ReleaseState next)
    {
        ArgumentNullException.ThrowIfNull(header);
        next = this;
        ApplyStatus status = Follows(header);
        if (status != ApplyStatus.Applied)
        {
            return status;
        }

        StateTrie trie = Trie.Apply(header.Changes);
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

    /// <summary>The state root after these changes, which the header of the next release must name.</summary>
    public Digest160 RootAfter(IEnumerable<KeyChange> changes) => Trie.Apply(changes).Root;

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
