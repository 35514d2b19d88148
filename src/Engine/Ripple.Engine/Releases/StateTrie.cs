using System.Security.Cryptography;

namespace Ripple.Engine.Releases;

/// <summary>
/// The Merkle tree over an application's whole state: a compressed binary trie by the SHA-256 of the key. Immutable: a change returns a new
/// trie that shares all but one path. The root depends only on the current keys and entries, not on the order of changes. Any thread.
/// </summary>
internal sealed class StateTrie
{
    private readonly StateTrieNode? _root;

    private StateTrie(StateTrieNode? root) => _root = root;

    /// <summary>The trie without keys; its root is zero.</summary>
    public static StateTrie Empty { get; } = new(null);

    /// <summary>How many keys it has.</summary>
    public int Count => _root?.Count ?? 0;

    /// <summary>
    /// The root hash, truncated: the header's state root. Computed when asked for, hashing only the parts not hashed before.
    /// </summary>
    public Digest160 Root => _root is null ? default : Digest160.Read(_root.Hash);

    /// <summary>The trie in which the key has this entry; this one if it already has.</summary>
    public StateTrie Set(string key, KeyEntry entry)
    {
        ArgumentNullException.ThrowIfNull(key);
        StateTrieNode root = StateTrieNode.Set(_root, key, HashKey(key), entry, 0);
        return ReferenceEquals(root, _root) ? this : new(root);
    }

    /// <summary>The trie without the key; this one if the key is absent.</summary>
    public StateTrie Remove(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        StateTrieNode? root = StateTrieNode.Remove(_root, HashKey(key), 0);
        return ReferenceEquals(root, _root) ? this : root is null ? Empty : new(root);
    }

    /// <summary>The trie after the changes of a release, in their order.</summary>
    public StateTrie Apply(IEnumerable<KeyChange> changes)
    {
        ArgumentNullException.ThrowIfNull(changes);
        StateTrie trie = this;
        foreach (KeyChange change in changes)
        {
            trie = change.Operation == KeyOperation.Set ? trie.Set(change.Key, change.Entry) : trie.Remove(change.Key);
        }

        return trie;
    }

    /// <summary>
    /// The changes that make another trie of this one, in no order; not more than <paramref name="countMax"/>. What is alike is known by
    /// its hash: it costs a path for each change, however many keys there are.
    /// </summary>
    public List<KeyChange> ChangesTo(StateTrie other, int countMax)
    {
        ArgumentNullException.ThrowIfNull(other);
        var changes = new List<KeyChange>();
        StateTrieNode.AddChanges(_root, other._root, 0, countMax, changes);
        return changes;
    }

    private static byte[] HashKey(string key) => SHA256.HashData(ReleaseNames.StrictUtf8.GetBytes(key));
}
