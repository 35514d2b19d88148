using System.Buffers.Binary;
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
        StateTrieNode root = StateTrieNode.Set(_root, key, HashKey(key), entry, 0);
        return ReferenceEquals(root, _root) ? this : new(root);
    }

    /// <summary>The trie without the key; this one if the key is absent.</summary>
    public StateTrie Remove(string key)
    {
        StateTrieNode? root = StateTrieNode.Remove(_root, HashKey(key), 0);
        return ReferenceEquals(root, _root) ? this : root is null ? Empty : new(root);
    }

    /// <summary>The trie after the changes of a release, in their order.</summary>
    public StateTrie Apply(IEnumerable<KeyChange> changes)
    {
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
        var changes = new List<KeyChange>();
        StateTrieNode.AddChanges(_root, other._root, 0, countMax, changes);
        return changes;
    }

    private static byte[] HashKey(string key) => SHA256.HashData(ReleaseNames.StrictUtf8.GetBytes(key));
}

/// <summary>
/// A leaf (one key) or an inner node (two or more). A subtree with one key is always the leaf itself, without inner nodes above it, so the
/// shape depends on the set of keys alone. Immutable except for the hash, which is computed on demand: two threads may both compute it,
/// with the same result.
/// </summary>
internal sealed class StateTrieNode
{
    // Leaf: both null. Inner node: no key and no hash of one.
    private readonly StateTrieNode? _left;
    private readonly StateTrieNode? _right;
    private readonly string? _key;
    private readonly byte[]? _keyHash;
    private readonly KeyEntry _entry;
    private byte[]? _hash;

    private StateTrieNode(string key, byte[] keyHash, KeyEntry entry)
    {
        _key = key;
        _keyHash = keyHash;
        _entry = entry;
        Count = 1;
    }

    private StateTrieNode(StateTrieNode? left, StateTrieNode? right)
    {
        _left = left;
        _right = right;
        Count = (left?.Count ?? 0) + (right?.Count ?? 0);
    }

    /// <summary>How many keys are below.</summary>
    public int Count { get; }

    /// <summary>The 32 bytes of this subtree's hash; must not be modified.</summary>
    public byte[] Hash => _hash ??= _keyHash is null ? HashInner() : HashLeaf(_keyHash);

    public static StateTrieNode Set(StateTrieNode? node, string key, byte[] keyHash, in KeyEntry entry, int depth)
    {
        if (node is null)
        {
            return new(key, keyHash, entry);
        }

        if (node._keyHash is not null)
        {
            if (!node._keyHash.AsSpan().SequenceEqual(keyHash))
            {
                return Join(node, new(key, keyHash, entry), depth);
            }

            return node._entry == entry ? node : new(key, keyHash, entry);
        }

        if (Bit(keyHash, depth))
        {
            StateTrieNode right = Set(node._right, key, keyHash, entry, depth + 1);
            return ReferenceEquals(right, node._right) ? node : new(node._left, right);
        }

        StateTrieNode left = Set(node._left, key, keyHash, entry, depth + 1);
        return ReferenceEquals(left, node._left) ? node : new(left, node._right);
    }

    public static StateTrieNode? Remove(StateTrieNode? node, byte[] keyHash, int depth)
    {
        if (node is null)
        {
            return null;
        }

        if (node._keyHash is not null)
        {
            return node._keyHash.AsSpan().SequenceEqual(keyHash) ? null : node;
        }

        bool bit = Bit(keyHash, depth);
        StateTrieNode? child = bit ? node._right : node._left;
        StateTrieNode? next = Remove(child, keyHash, depth + 1);
        if (ReferenceEquals(next, child))
        {
            return node;
        }

        StateTrieNode? left = bit ? node._left : next;
        StateTrieNode? right = bit ? next : node._right;
        if (left is null && right?._keyHash is not null)
        {
            return right;
        }

        return right is null && left?._keyHash is not null ? left : new(left, right);
    }

    /// <summary>Adds the changes that make one subtree of another, until there are so many.</summary>
    public static void AddChanges(StateTrieNode? from, StateTrieNode? to, int depth, int countMax, List<KeyChange> changes)
    {
        if (changes.Count >= countMax
            || ReferenceEquals(from, to)
            || (from is not null && to is not null && from.Hash.AsSpan().SequenceEqual(to.Hash)))
        {
            return;
        }

        if (from is null or { _key: not null } && to is null or { _key: not null })
        {
            if (to is not null)
            {
                changes.Add(KeyChange.Set(to._key!, to._entry.Form, to._entry.Length, to._entry.Digest));
            }

            if (from is not null && from._key != to?._key && changes.Count < countMax)
            {
                changes.Add(KeyChange.Remove(from._key!));
            }

            return;
        }

        foreach (bool bit in (ReadOnlySpan<bool>)[false, true])
        {
            AddChanges(Below(from, bit, depth), Below(to, bit, depth), depth + 1, countMax, changes);
        }
    }

    /// <summary>What of a subtree is on one side of a bit; a leaf is as far down as it is asked for.</summary>
    private static StateTrieNode? Below(StateTrieNode? node, bool bit, int depth) =>
        node?._keyHash is not { } keyHash ? (bit ? node?._right : node?._left) : Bit(keyHash, depth) == bit ? node : null;

    // Adds an inner node for each further bit that both leaves share: at most 256 levels, two or three in practice.
    private static StateTrieNode Join(StateTrieNode a, StateTrieNode b, int depth)
    {
        bool bitA = Bit(a._keyHash!, depth);
        if (bitA == Bit(b._keyHash!, depth))
        {
            StateTrieNode below = Join(a, b, depth + 1);
            return bitA ? new(null, below) : new(below, null);
        }

        return bitA ? new(b, a) : new(a, b);
    }

    private static bool Bit(byte[] keyHash, int depth) => (keyHash[depth >> 3] & (0x80 >> (depth & 7))) != 0;

    private byte[] HashInner()
    {
        Span<byte> data = stackalloc byte[1 + (2 * Digest256.Size)];
        data.Clear();
        data[0] = 0x11;
        _left?.Hash.CopyTo(data[1..]);
        _right?.Hash.CopyTo(data[(1 + Digest256.Size)..]);
        return SHA256.HashData(data);
    }

    private byte[] HashLeaf(byte[] keyHash)
    {
        Span<byte> data = stackalloc byte[1 + Digest256.Size + Digest160.Size + 4 + 1];
        data[0] = 0x10;
        keyHash.CopyTo(data[1..]);
        _entry.Digest.Write(data[33..]);

        // Numbers inside the state tree are big-endian.
        BinaryPrimitives.WriteUInt32BigEndian(data[53..], (uint)_entry.Length);
        data[57] = (byte)_entry.Form;
        return SHA256.HashData(data);
    }
}
